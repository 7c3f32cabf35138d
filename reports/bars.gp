# bars.gp: one horizontal bar per implementation, made of the phases of its work, which follow each other from left
# to right. Phase i is block i of the data file: row from the top, begin, end, colour. A bar that is longer than the
# picture ends in an arrow; the time at its end tells how long it is. On a terminal bars are made of letters: bar[i].
set xrange [0:x_high]
set yrange [rows + 0.5:0.5]
unset ytics

if (text) {
    set lmargin name_columns + 2
    set rmargin 12
    unset xtics
    set bmargin 3
    set label 200 (legend ? bar_legend : '# '.phase[3]) at graph 0, graph 0 left offset 0, -1
} else {
    set grid noytics
    set lmargin at screen name_x
    set rmargin at screen 0.88
    set label 4 x_title at graph 0.5, screen 0.052 center font face.','.size_text textcolor rgb 0x3C4043
    set tmargin at screen (legend ? 0.745 : 0.79)
    key_x = name_x + 0.012
    do for [i = 1:(legend ? phases : 0)] {
        if (strlen(phase[i]) > 0) {
            set label 200 + i phase[i] at screen key_x, screen 0.78 left offset screen 0.018, screen -0.005 \
                font face.','.(size_text - 2) textcolor rgb 0x3C4043 \
                point pointtype 5 pointsize 3.2 linecolor rgb phase_colour[i]
            key_x = key_x + 0.055 + 0.0105 * strlen(phase[i])
        }
    }
}
do for [i = 1:rows] {
    set label 1000 + i name[i] at graph 0, first i right offset screen -0.012, 0 \
        font face.','.name_size textcolor rgb text_colour[i]
    if (text) {
        set label 2000 + i bar[i].' '.total[i] at first 0, first i left offset 1, 0
    } else {
        set label 2000 + i total[i] at first total_x[i], first i left offset screen 0.012, 0 \
            font face.' Bold,'.name_size textcolor rgb 0x3C4043
    }
    if (cut[i] && !text) {
        set arrow 3000 + i from graph 0.97, first i to graph 1.0, first i head filled size screen 0.011, 30 front \
            linewidth 4 linecolor rgb 0xFFFFFF
    }
}
do for [i = 1:notes] {
    if (!text) {
        set label 4000 + i note[i] at first note_x[i], first note_row[i] center front \
            font face.','.(name_size - 4) textcolor rgb note_colour[i]
    }
}

data = picture.'.dat'
set style fill solid 1.0 noborder
thick = rows < 4 ? 0.25 : 0.36
if (text) {
    plot NaN notitle
} else {
    plot for [i = 1:phases] data index i - 1 using (($2 + $3) / 2):1:2:3:($1 - thick):($1 + thick):4 \
        with boxxyerror linecolor rgb variable
}
