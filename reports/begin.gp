# begin.gp: what all pictures share. The page is 1600 x 900 and made for the last row of a classroom: large type, few
# lines of grey, everything named where it stands instead of in a legend.
text = exists("columns")          # set on the command line: draw with characters on a terminal
face = 'DejaVu Sans'
grey = 0x5F6368
size_title = 34
size_text = 25

# pngcairo gives the smoothest letters; a gnuplot without it still has png.
if (text) {
    set terminal dumb noenhanced mono size columns, exists("rows") ? rows + 8 : lines
} else {
    if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {
        set terminal pngcairo noenhanced size 1600, 900 font face.','.size_text background rgb 'white'
    } else {
        set terminal png noenhanced truecolor size 1600, 900 font face.','.size_text background rgb 'white'
    }
    set output picture.'.png'
}

set datafile missing '?'
unset key
set border 3 linewidth 2 linecolor rgb 0x9AA0A6
set tics nomirror out scale 0.8 textcolor rgb 0x3C4043 font face.','.size_text

if (text) {
    unset grid
    set label 1 title at graph 0, graph 1 left offset 0, 3
    set label 2 subtitle at graph 0, graph 1 left offset 0, 2
    set label 3 remark at graph 0, graph 1 left offset 0, 1
    set tmargin 4
} else {
    set grid xtics ytics linetype 1 linewidth 1 linecolor rgb 0xDADDE0
    set label 1 title at screen 0.018, screen 0.948 left font face.' Bold,'.size_title textcolor rgb 0x202124
    set label 2 subtitle at screen 0.018, screen 0.885 left font face.','.subtitle_size textcolor rgb grey
    set label 3 remark at screen 0.018, screen 0.837 left font face.','.remark_size textcolor rgb grey
    set tmargin at screen 0.79
    set bmargin at screen 0.165
}
