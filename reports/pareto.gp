# pareto.gp: speed against cost; each point is block i of the data file. front_x, front_y: those that nothing beats,
# cheapest first; the line goes up in steps, because between two candidates there is nothing to be had.
set logscale x 10
do for [i = 1:(text ? 0 : front)] {
    if (i > 1) {
        set arrow 8000 + i from front_x[i - 1], front_y[i - 1] to front_x[i], front_y[i - 1] nohead back \
            linewidth 3 linecolor rgb 0xAECBFA
        set arrow 8200 + i from front_x[i], front_y[i - 1] to front_x[i], front_y[i] nohead back \
            linewidth 3 linecolor rgb 0xAECBFA
    }
}
data = picture.'.dat'
if (text) {
    plot for [i = 1:curves] data index i - 1 using 1:2 with points pointtype (i - 1) % 26 + 1
} else {
    plot for [i = 1:curves] data index i - 1 using 1:3:(0):($4 - $3) with vectors nohead \
            linewidth 3 linecolor rgb colour[i], \
        for [i = 1:curves] data index i - 1 using 1:2 with points \
            pointtype marker[i] pointsize 2.8 linewidth 3 linecolor rgb colour[i]
}
