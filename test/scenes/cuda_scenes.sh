# Every scene that ships, CPU against GPU: twelve frames of its draft variant (of itself where it
# has none), compared by tools/compare-runs, with what two SIMD levels of the CPU differ by as a
# measure of what the scene makes of rounding. Status 77 without a device. FIRN_TEST_DEVICE=cpu:
# another SIMD level stands in for the device, so that this can be tried where there is none;
# FIRN_TEST_SCENES: only these.
. "$FIRN_SOURCE_DIR/test/cli/expect.sh"
device=${FIRN_TEST_DEVICE:-cuda}
other=(--backend "$device")
[ "$device" != cpu ] || other=(--simd plain)

if [ "$device" != cpu ]; then
    "$FIRN" run first-scene -o probe --frames 0 --backend "$device" --set output.preview=false \
        -q >out.txt 2>err.txt
    status=$?
    [ $status -ne 7 ] || { cat err.txt && exit 77; }
    [ $status -eq 0 ] || fail "firn run --backend $device: exit code $status"
fi

# name and variant: "draft" where the scene has one, else ""
variant_of() {
    if grep -qE '^  draft:' "$FIRN_SOURCE_DIR/scenes/$1/scene.yaml"; then echo draft; fi
}

frames=12
wrong=0
count=0
while read -r folder _; do
    name=${folder##*/}
    case " ${FIRN_TEST_SCENES:-$name} " in *" $name "*) ;; *) continue ;; esac
    variant=$(variant_of "$folder")
    common=("$name" --frames $frames --set output.preview=false --set output.film=false -q)
    [ -z "$variant" ] || common+=(--variant "$variant")
    expect 0 run "${common[@]}" -o cpu
    expect 0 run "${common[@]}" -o other "${other[@]}"
    expect 0 run "${common[@]}" -o spread --simd baseline
    printf '%s %s\n' "$name" "$variant"
    "$python" "$FIRN_SOURCE_DIR/tools/compare-runs" --firn "$FIRN" --spread spread cpu other ||
        wrong=$((wrong + 1))
    count=$((count + 1))
    rm -rf cpu other spread
done < <(grep -E '^(demo|validation)/' "$FIRN_SOURCE_DIR/scenes/LIST")
[ $count -gt 0 ] || fail "no scene was compared"
[ $wrong -eq 0 ] || fail "$wrong of $count scenes differ by more than their tolerances"
echo "$count scenes show the same snow"
