# tools/compare-runs tells runs that show the same snow from runs that do not; tools/gpu-check knows
# its parts, and says so when there is no GPU.
. "$(dirname "$0")/expect.sh"
plain=(-q --threads 1 --frames 4 --set output.preview=false --set output.film=false)
compare() {
    "$python" "$FIRN_SOURCE_DIR/tools/compare-runs" --firn "$FIRN" "$@" >out.txt 2>err.txt
}

expect 0 run "$tiny" "${plain[@]}" -o a
expect 0 run "$tiny" "${plain[@]}" -o b --simd baseline
expect 0 run "$tiny" "${plain[@]}" -o soft --set materials.packed.young=1e4
compare a b || fail "compare-runs: two SIMD levels are not the same snow"
shows "the same snow"
shows "density histogram"
compare a soft && fail "compare-runs: softer snow passes for the same"
shows "TOO MUCH"
compare --spread b a soft && fail "compare-runs --spread: softer snow passes for rounding"
compare --spread soft a soft ||
    fail "compare-runs --spread: what the scene makes of rounding is not allowed for"
compare a b --frame 2 -q || fail "compare-runs --frame 2"
shows "frame 2: the same snow"
compare a nowhere
same $? 2 "compare-runs with a folder that is not there"
says "compare-runs:"

check=$FIRN_SOURCE_DIR/tools/gpu-check
"$check" --only weather >out.txt 2>err.txt
same $? 2 "gpu-check --only weather"
says "there are: tests sanitize physics bits compare resume bench memory"
mkdir -p bundle/bin && ln -s "$FIRN" bundle/bin/firn && ln -s "${FIRN}_test" bundle/bin/firn_test
if "$FIRN" version --json | grep -q '"devices":\[\]'; then
    "$check" --built bundle --logs logs >out.txt 2>err.txt
    same $? 1 "gpu-check where there is no GPU"
    shows "MISSING"
    shows "NOT all passed"
fi
exit 0
