# Colour and the progress line appear on a terminal only, and NO_COLOR is honoured.
. "$(dirname "$0")/expect.sh"
escape=$'\033['
export TERM=xterm

on_terminal() { "$python" "$here/terminal.py" "$FIRN" "$@" >out.txt 2>err.txt; }

on_terminal help
grep -qF "${escape}1m" out.txt || fail "no bold text on a terminal"
NO_COLOR=1 on_terminal help
! grep -qF "$escape" out.txt || fail "NO_COLOR=1 and still an escape sequence"
NO_COLOR='' on_terminal help
grep -qF "${escape}1m" out.txt || fail "an empty NO_COLOR counts as none"
TERM=dumb on_terminal help
! grep -qF "$escape" out.txt || fail "TERM=dumb and still an escape sequence"
expect 0 help
! grep -qF "$escape" out.txt || fail "an escape sequence in a pipe"

on_terminal check "$here/bad.yaml"
same $? 3 "firn check on a terminal"
grep -qF "${escape}1;31merror:" out.txt || fail "errors are not red"

on_terminal run "$tiny" -o run1 --frames 2
same $? 0 "firn run on a terminal"
grep -q $'\r.*frame 2/2.*sub-step.*dt .*iter.*particles' out.txt || fail "no progress line"
NO_COLOR=1 on_terminal run "$tiny" -o run2 --frames 2
! grep -q "${escape/[/\\[}[0-9;]*m" out.txt || fail "NO_COLOR=1 and still colour in a run"

expect 0 run "$tiny" -o run3 --frames 2
[ "$(grep -c '^frame [0-9]*/2 ' err.txt)" -ge 2 ] ||
    fail "without a terminal: not one line per frame"
! grep -q $'\r' err.txt || fail "a redrawn line in a pipe"
expect 0 run "$tiny" -o run4 --frames 2 -q
silent
[ ! -s out.txt ] || fail "run -q writes to stdout"
