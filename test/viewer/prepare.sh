# Source it first: checks of test/cli, and a skip, with the reason, where nothing can be drawn.
. "$FIRN_SOURCE_DIR/test/cli/expect.sh"
bed=$FIRN_SOURCE_DIR/test/viewer/bed.yaml
export LIBGL_ALWAYS_SOFTWARE=1 # the same driver everywhere
"$FIRN" view "$tiny" --out probe.png --size 32x32 >out.txt 2>err.txt
case $? in
0) ;;
7)
    cat err.txt
    exit 77
    ;;
*) fail "firn view --out" ;;
esac

# apart A.png B.png: mean difference of two pictures of one size, 0..255.
# apart A.png B.png X Y W H: of a part of them.
apart() {
    "$python" "$FIRN_SOURCE_DIR/test/viewer/apart.py" "$@" || fail "cannot compare $1 and $2"
}
# is "EXPRESSION": a sum of numbers is true.
is() { "$python" -c "import sys; sys.exit(0 if ($1) else 1)" || fail "$stage: not so: $1 ($2)"; }
