# Panels and the play button in a window on a real X server: clicks of the mouse have their effect.
. "$(dirname "$0")/prepare.sh"
. "$(dirname "$0")/screen.sh"
open_window "$bed" --style spheres --size 960x540 --threads 1

# click X Y: of the window; the pointer first, as a hand does.
click() {
    xdotool mousemove $((X + $1)) $((Y + $2))
    sleep 0.2
    xdotool click 1
}
# picture: the next one by key F12, called bed-0001.png, bed-0002.png … Sets last and before.
count=0 last=
picture() {
    before=$last
    count=$((count + 1))
    last=$(printf 'bed-%04d.png' $count)
    xdotool key F12
    wait_for "$last"
}
# until_pictures WHAT X Y W H EXPRESSION: two pictures in a row differ in this part, on average of
# 255 levels, as the expression of `d` says. The machine may be slow: some tries.
until_pictures() {
    local d
    for _ in $(seq 20); do
        picture
        [ -n "$before" ] && d=$(apart "$before" "$last" $2 $3 $4 $5) &&
            "$python" -c "import sys; d = $d; sys.exit(0 if ($6) else 1)" && return
        sleep 0.5
    done
    fail "$stage: $1"
}
time=(55 498 70 26) # where the time stands
until_pictures "it plays" "${time[@]}" "d > 0"
click 33 510
until_pictures "the play button does not pause" "${time[@]}" "d == 0"
until_pictures "paused, it goes on" "${time[@]}" "d == 0"
click 660 56
until_pictures "the button Play of the panel does not play" "${time[@]}" "d > 0"
click 660 56
until_pictures "the button Pause of the panel does not pause" "${time[@]}" "d == 0"
click 300 300
until_pictures "the panel does not show the picked particle" 620 280 320 220 "d > 1"
close_window
exit 0
