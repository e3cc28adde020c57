# Source it after prepare.sh: a screen of 1100x700 pixels: Xvfb, with xdotool.
for program in Xvfb xdotool; do
    command -v $program >/dev/null || {
        echo "there is no program $program (tools/packages-test names its package)"
        exit 77
    }
done
unset WAYLAND_DISPLAY
mkfifo number
Xvfb -displayfd 3 -screen 0 1100x700x24 -nolisten tcp 3>number >xvfb.txt 2>&1 &
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

# open_window ARGS…: firn view ARGS, on the screen, and the one that keys go to: there is no window
# manager to see to that. Sets viewer, window, X and Y.
open_window() {
    stage="firn view"
    "$FIRN" view "$@" >out.txt 2>err.txt &
    viewer=$!
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
}

# close_window: Q ends it, with code 0 and nothing on stderr.
close_window() {
    xdotool key q
    for _ in $(seq 100); do kill -0 $viewer 2>/dev/null || break; sleep 0.1; done
    wait $viewer
    same $? 0 "exit code after Q"
    viewer=
    silent
}
