# curves.gp: values against size. Columns of the data: x, y, and the ends of the 95 % interval of y.
set logscale x 2

do for [j = 1:levels] {
    if (!text) {
        set arrow 4000 + j from graph 0, first level_y[j] to graph 1, first level_y[j] nohead back \
            linewidth 2.5 dashtype level_dash linecolor rgb grey
    }
}

data = picture.'.dat'
if (text) {
    plot for [j = 1:levels] level_y[j] with dots, \
        for [i = 1:curves] data index i - 1 using 1:2 with linespoints linetype -1 pointtype (i - 1) % 26 + 1
} else {
    plot for [i = 1:curves] data index i - 1 using 1:2 with lines \
            linewidth width[i] dashtype dash[i] linecolor rgb colour[i], \
        for [i = 1:curves] data index i - 1 using 1:3:(0):($4 - $3) with vectors nohead \
            linewidth 3 linecolor rgb colour[i], \
        for [i = 1:curves] data index i - 1 using 1:2 with points \
            pointtype marker[i] pointsize 2.4 linewidth 3 linecolor rgb colour[i]
}
