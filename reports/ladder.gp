# ladder.gp: one bar per rung on a logarithmic axis of bytes, the bottom rung first, with its number at its end.
set logscale x 10
set xrange [x_low:x_high]
set yrange [rows + 0.6:0.4]
unset ytics
size_name = rows > 9 ? size_text - 4 : size_text
if (text) {
    set lmargin 26
    set rmargin 12
    set xtics format '%.0s%cB'
} else {
    set lmargin at screen 0.21
    set rmargin at screen 0.96
    set grid noytics
    set xtics format '%.0s %cB'
    set label 4 'bytes that global memory moves (sectors of 32 bytes)' at graph 0.5, screen 0.052 center \
        font face.','.size_text textcolor rgb 0x3C4043
}
do for [i = 1:rows] {
    set label 1000 + i name[i] at graph 0, first i right offset screen -0.012, 0 \
        font face.','.size_name textcolor rgb 0x3C4043
}
data = picture.'.dat'
set style fill solid 1.0 noborder
if (text) {
    do for [i = 1:rows] { set label 2000 + i total[i] at graph 0.02, first i left }
    plot NaN notitle
} else {
    plot data using (($2 + x_low) / 2):1:(x_low):2:($1 - 0.36):($1 + 0.36) with boxxyerror linecolor rgb 0x1A73E8, \
        for [i = 1:rows] data using ($1 == i ? $2 : 1 / 0):1:(total[i]) with labels left offset character 1, 0 \
        font face.' Bold,'.size_name textcolor rgb 0x202124
}
