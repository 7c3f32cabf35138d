# roofline.gp: GFLOP/s against FLOP per byte. Diagonal j is a memory level: so many bytes per second times the
# intensity, up to the highest peak; each peak begins at the fastest diagonal. A point lies at its compulsory traffic;
# the line to its left reaches to where it would lie if nothing were reused, and a ring on it marks its model's traffic.
set logscale x 10

# 1.0 *: gnuplot divides whole numbers as whole numbers.
top = 0.0
do for [j = 1:levels] { top = level_y[j] > top ? 1.0 * level_y[j] : top }
fastest = 0.0
do for [j = 1:diagonals] { fastest = diagonal[j] > fastest ? 1.0 * diagonal[j] : fastest }
top = top > 0 ? top : 1.0 * y_high
# Pixels of a decade; a label stands above its diagonal, or below it where the next one leaves no room.
decade_y = 0.625 * 900 / log10(1.0 * y_high / y_low)
decade_x = text ? decade_y : (label_x - tick_x) * 1600 / log10(1.0 * x_high / x_low)
angle = atan2(decade_y, decade_x)
needed = 34
below = 0

do for [j = 1:levels] {
    ridge = fastest * x_low > 0 && level_y[j] / fastest > x_low ? level_y[j] / fastest : x_low
    thick = level_dashed[j] ? 2.5 : 4
    pattern = level_dashed[j] ? 2 : 1
    if (!text) {
        set arrow 4000 + j from first ridge, first level_y[j] to graph 1, first level_y[j] nohead back \
            linewidth thick dashtype pattern linecolor rgb grey
    }
}
do for [j = 1:diagonals] {
    start = diagonal[j] * x_low > y_low ? x_low : 1.0 * y_low / diagonal[j]
    stop = top / diagonal[j] < x_high ? top / diagonal[j] : x_high
    before = diagonal[j == 1 ? 1 : j - 1]
    room = j == 1 ? 1000 : log10(1.0 * before / diagonal[j]) * decade_y * cos(angle) - below * needed
    below = room < needed
    if (!text) {
        set arrow 8000 + j from start, diagonal[j] * start to stop, diagonal[j] * stop nohead back \
            linewidth 4 linecolor rgb grey
        start = start * (1.0 * x_high / x_low) ** 0.03
        aside = (below ? -19.0 : 19.0)
        set label 8000 + j diagonal_label[j] at start, diagonal[j] * start left front rotate by angle * 57.29578 \
            offset screen -aside * sin(angle) / 1600, screen aside * cos(angle) / 900 \
            font face.' Italic,'.(size_text - 3) textcolor rgb grey
    }
}
do for [i = 1:(text ? 0 : curves)] {
    set arrow 9000 + i from span_x[i], end_y[i] to end_x[i], end_y[i] nohead back linewidth 1.5 linecolor rgb colour[i]
    if (model_x[i] > 0) {
        set label 9500 + i '' at model_x[i], end_y[i] front point pointtype 6 pointsize 2 linewidth 2.5 \
            linecolor rgb colour[i]
    }
    set label 9000 + i '' at span_x[i], end_y[i] front point pointtype 7 pointsize 0.9 linecolor rgb colour[i]
}

data = picture.'.dat'
if (text) {
    plot for [j = 1:diagonals] (diagonal[j] * x < top ? diagonal[j] * x : NaN) with dots, \
        for [j = 1:levels] level_y[j] with dots, \
        for [i = 1:curves] data index i - 1 using 1:2 with points pointtype (i - 1) % 26 + 1
} else {
    plot for [i = 1:curves] data index i - 1 using 1:3:(0):($4 - $3) with vectors nohead \
            linewidth 3 linecolor rgb colour[i], \
        for [i = 1:curves] data index i - 1 using 1:2 with points \
            pointtype marker[i] pointsize 2.8 linewidth 3 linecolor rgb colour[i]
}
