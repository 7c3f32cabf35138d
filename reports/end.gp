# end.gp: the same picture once more as SVG, which stays sharp at any size. That terminal measures letters in pixels
# instead of points, hence 4/3, and markers and tics by its own font, hence the small one; all text has a size anyway.
if (!text) {
    set terminal svg noenhanced size 1600, 900 dynamic fontscale 1.333 font face.',9' background rgb 'white'
    set xtics offset screen 0, -0.018
    if (exists("y_low")) { set ytics offset screen -0.008, 0 }
    set output picture.'.svg'
    replot
}
set output
