# soak.gp: a load over time. Columns of the data: time; speed, clock and power in percent of what their names say;
# temperature in degrees; the speed again where the answer was wrong. A name that is empty has no line.
set xrange [0:x_high * 1.02]
set yrange [y_low:y_high]
data = picture.'.dat'

if (text) {
    plot data using 1:2 with points pointtype 'o'
} else {
    set lmargin at screen 0.09
    set rmargin at screen heat_name eq '' ? 0.965 : 0.915
    set bmargin at screen 0.245
    set format y '%.0f %%'
    set label 4 x_title at graph 0.5, screen 0.15 center font face.','.size_text \
        textcolor rgb 0x3C4043
    set key at screen 0.5, screen 0.058 center horizontal maxrows 2 font face.',21' \
        textcolor rgb 0x3C4043 samplen 1.5 reverse Left
    if (heat_name ne '') {
        set border 11
        set y2tics out font face.','.size_text textcolor rgb 0xB4521F
        set format y2 '%.0f °C'
    }
    # Lines without a single number would be warned about.
    curves = "data using 1:2 with lines linewidth 5 linecolor rgb 0x0A52D6 title rate_name"
    if (clock_name ne '') {
        curves = curves.", data using 1:3 with lines linewidth 3 linecolor rgb 0x0E7D64 title clock_name"
    }
    if (power_name ne '') {
        curves = curves.", data using 1:4 with lines linewidth 3 linecolor rgb 0x7A5A08 title power_name"
    }
    if (heat_name ne '') {
        curves = curves.", data using 1:5 axes x1y2 with lines linewidth 3 dashtype 3 linecolor rgb 0xB4521F"
        curves = curves." title heat_name"
    }
    if (wrong > 0) {
        curves = curves.", data using 1:6 with points pointtype 2 pointsize 3 linewidth 4 linecolor rgb 0xB0127F"
        curves = curves." title 'wrong answer'"
    }
    eval 'plot '.curves
}
