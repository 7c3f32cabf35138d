# trend.gp: the time of each session, in order. Columns of the data: number of the session, time, and the ends of its
# 95 % interval. Level j is a line from session level_from[j] to level_to[j]; at event k the environment changed.
set xrange [0.5 - 0.02 * points : points + 0.5 + 0.02 * points]
set yrange [y_low:y_high]

if (text) {
    set key off
} else {
    set lmargin at screen 0.105
    set rmargin at screen 0.935
    set label 4 x_title at graph 0.5, screen 0.052 center font face.','.size_text textcolor rgb 0x3C4043
}

# Names of events take turns on a few lines at the foot, so that neighbours do not lie on each other.
do for [k = 1:events] {
    set arrow 2000 + k from event_x[k], graph 0 to event_x[k], graph 1 nohead back \
        linewidth 2 dashtype 2 linecolor rgb grey
    if (!text) {
        set label 2000 + k event_label[k] at event_x[k], graph 0.045 + 0.055 * ((k - 1) % 4) \
            point pointtype 0 offset character (event_x[k] > 0.6 * points ? -0.5 : 0.5), 0 front \
            font face.' Italic,20' textcolor rgb grey
        if (event_x[k] > 0.6 * points) { set label 2000 + k right } else { set label 2000 + k left }
    }
}
do for [j = 1:levels] {
    set arrow 1000 + j from level_from[j], level_y[j] to level_to[j], level_y[j] nohead front \
        linewidth 5 linecolor rgb level_colour[j]
    if (!text && strlen(level_label[j]) > 0) {
        set label 1000 + j level_label[j] at level_from[j], graph 0.955 left front offset character 0.5, 0 \
            font face.' Bold,22' textcolor rgb level_colour[j]
    }
}

data = picture.'.dat'
if (text) {
    plot data using 1:2 with points pointtype 'o'
} else {
    plot data using 1:3:(0):($4 - $3) with vectors nohead linewidth 2 linecolor rgb 0xC4C9CE, \
        data using 1:2 with points pointtype 7 pointsize point_size linecolor rgb point_colour
}
