# A window on a real X server (Xvfb) with synthetic mouse input (XTest): the plow is dragged through
# the snow by the mouse, and screenshots by key show it before and after.
. "$(dirname "$0")/prepare.sh"
. "$(dirname "$0")/screen.sh"
open_window "$bed" --style spheres --size 320x240 --threads 1

xdotool mousemove $((X + 130)) $((Y + 130))
xdotool key F12
wait_for bed-0001.png
xdotool key p
sleep 3 # the plow comes down
xdotool key o
xdotool key F12
wait_for bed-0002.png
stage="dragging the plow"
# Hold it where it is: in the middle of its blade, above the point where it stands.
xdotool mousemove $((X + 130)) $((Y + 118)) mousedown 1
for k in $(seq 20); do
    xdotool mousemove $((X + 130 + 3 * k)) $((Y + 118 + 2 * k))
    sleep 0.05
done
sleep 2
xdotool mouseup 1
xdotool key F12
wait_for bed-0003.png
xdotool key b
xdotool key p # away, to see what it did
sleep 1
xdotool key b
xdotool key F12
wait_for bed-0004.png
xdotool key r
sleep 1
xdotool key r
for _ in $(seq 100); do [ -s bed-0001.mp4 ] && break; sleep 0.1; done
is_there bed-0001.mp4
close_window
ffprobe -v error -show_entries stream=codec_type -of csv=p=0 bed-0001.mp4 |
    grep -qx video || fail "no film"
# levels of 255, on average: the sky at the top stays, apart from a few pixels
is "$(apart bed-0002.png bed-0003.png 0 0 320 36) < 0.05" "the plow was dragged, and not the camera"
is "$(apart bed-0002.png bed-0003.png) > 1.5" "the plow is elsewhere"
is "$(apart bed-0001.png bed-0004.png 60 90 200 100) > 1.5" "the snow is elsewhere"
exit 0
