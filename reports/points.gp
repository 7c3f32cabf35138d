# points.gp: one point per line of the data, each with its name beside it: x, y, and the ends of the 95 % interval of y.
set logscale x 10

data = picture.'.dat'
if (text) {
    plot for [i = 1:curves] data index i - 1 using 1:2 with points pointtype (i - 1) % 26 + 1
} else {
    plot for [i = 1:curves] data index i - 1 using 1:3:(0):($4 - $3) with vectors nohead \
            linewidth 3 linecolor rgb colour[i], \
        for [i = 1:curves] data index i - 1 using 1:2 with points \
            pointtype marker[i] pointsize 3.6 linewidth 3 linecolor rgb colour[i]
}
