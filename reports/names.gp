# names.gp: logarithmic axes, and the names of what stands in them. Line i is block i of the data file; its name stands
# at its end, with a thin leader where names had to move apart. Level j is a line over the whole picture. Marks are
# rings around places of interest; notes are lines of words in the lower right corner.
set logscale y 10
set xrange [x_low:x_high]
set yrange [y_low:y_high]

if (text) {
    set rmargin label_columns
    set key off
} else {
    set lmargin at screen tick_x
    set rmargin at screen label_x
    set label 4 x_title at graph 0.5, screen 0.052 center font face.','.size_text textcolor rgb 0x3C4043
}

do for [i = 1:curves] {
    if (text) {
        set label 1000 + i sprintf('%c %s', 65 + (i - 1) % 26, label[i]) at graph 1.02, graph label_y[i] left
    } else {
        set arrow 1000 + i from end_x[i], end_y[i] to screen label_x + 0.017, graph label_y[i] nohead back \
            linewidth 1.5 dashtype 3 linecolor rgb colour[i]
        set label 1000 + i label[i] at screen label_x + 0.025, graph label_y[i] left front \
            offset screen 0.018, screen -0.008 font face.','.label_size textcolor rgb text_colour[i] \
            point pointtype marker[i] pointsize 2.4 * label_size / size_text linecolor rgb colour[i] linewidth 3
    }
}
do for [j = 1:levels] {
    if (text) {
        set label 4000 + j '- '.level_label[j] at graph 1.02, graph level_label_y[j] left
    } else {
        set arrow 5000 + j from graph 1, first level_y[j] to screen label_x + 0.017, graph level_label_y[j] \
            nohead back linewidth 1.5 dashtype 3 linecolor rgb grey
        set label 4000 + j level_label[j] at screen label_x + 0.020, graph level_label_y[j] left front \
            font face.' Italic,'.label_size textcolor rgb grey
    }
}
do for [k = 1:(exists("marks") && !text ? marks : 0)] {
    set label 6000 + k '' at first mark_x[k], first mark_y[k] front \
        point pointtype 6 pointsize 4.6 linecolor rgb mark_colour[k] linewidth 4
}
do for [k = 1:(exists("notes") && !text ? notes : 0)] {
    set label 7000 + k note[k] at graph 0.97, graph 0.05 + 0.075 * (notes - k) right front \
        font face.','.size_text textcolor rgb note_colour
}
