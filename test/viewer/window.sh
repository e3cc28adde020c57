# A window on a real X server (Xvfb) with synthetic mouse input (XTest): the plow is dragged through
# the snow by the mouse, and screenshots by key show it before and after.
. "$(dirname "$0")/prepare.sh"
for program in Xvfb xdotool; do
    command -v $program >/dev/null || {
        echo "there is no program $program (tools/packages-test names its package)"
        exit 77
    }
done
unset WAYLAND_DISPLAY
mkfifo number
Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>number >xvfb.txt 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; [ -n "${viewer:-}" ] && kill $viewer 2>/dev/null' EXIT
read -r -t 20 display <number || {
    cat xvfb.txt
    echo "Xvfb does not start here"
    exit 77
}
export DISPLAY=:$display

# wait_for FILE: a file that is being written appears whole, as `firn view` renames it.
wait_for() {
    for _ in $(seq 300); do
        [ -s "$1" ] && return
        kill -0 $viewer 2>/dev/null || fail "$stage: the viewer has gone"
        sleep 0.1
    done
    fail "$stage: '$1' did not appear"
}

stage="firn view"
"$FIRN" view "$bed" --style spheres --size 320x240 --threads 1 >out.txt 2>err.txt &
viewer=$!
# On the screen, and the one that keys go to: there is no window manager to see to that.
window=
for _ in $(seq 300); do
    kill -0 $viewer 2>/dev/null || {
        wait $viewer
        [ $? -eq 7 ] && cat err.txt && exit 77
        fail "the viewer has gone"
    }
    window=$(xdotool search --onlyvisible --name 'firn: bed \(mpm\)' 2>/dev/null)
    [ -n "$window" ] && xdotool windowfocus "$window" 2>/dev/null &&
        [ "$(xdotool getwindowfocus 2>/dev/null)" = "$window" ] && break
    sleep 0.1
done
[ -n "$window" ] || fail "no window called 'firn: bed (mpm)'"
eval "$(xdotool getwindowgeometry --shell "$window")" # X, Y

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
xdotool key q
for _ in $(seq 100); do kill -0 $viewer 2>/dev/null || break; sleep 0.1; done
wait $viewer
same $? 0 "exit code after Q"
viewer=
silent
ffprobe -v error -show_entries stream=codec_type -of csv=p=0 bed-0001.mp4 |
    grep -qx video || fail "no film"
# levels of 255, on average: the sky at the top stays, apart from a few pixels
is "$(apart bed-0002.png bed-0003.png 0 0 320 36) < 0.05" "the plow was dragged, and not the camera"
is "$(apart bed-0002.png bed-0003.png) > 1.5" "the plow is elsewhere"
is "$(apart bed-0001.png bed-0004.png 60 90 200 100) > 1.5" "the snow is elsewhere"
exit 0
