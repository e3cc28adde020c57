# An I/O error at any read of a frame or checkpoint, inside HDF5 too: exit code 4 and the reason;
# never "damaged", and never a frame without some of its fields.
. "$(dirname "$0")/expect.sh"
options=(--threads 1 --frames 1 --set mpm.cell=0.05 --set output.film=false
    --set output.preview=false)
cc -shared -fPIC -o fails.so "$here/pread_fails.c" || exit 77
expect 0 run "$tiny" -o run -q "${options[@]}"
frame=$(ls run/frames/*.0001.hdf)
state=$(ls run/state/*.0001.h5)

# fails_everywhere NAME ARGS…: with each read failing in turn, until firn needs no more of them.
fails_everywhere() {
    local name=$1 n=0 got
    shift
    while :; do
        n=$((n + 1))
        stage="firn $*, read $n fails"
        LD_PRELOAD=$PWD/fails.so FAIL_AT=$n "$FIRN" "$@" >out.txt 2>err.txt </dev/null
        got=$?
        [ $got -eq 0 ] && break
        [ $got -eq 4 ] || fail "$stage: exit code $got instead of 4"
        says "Input/output error"
        says "$name"
        [ $n -lt 500 ] || fail "$stage: more reads than expected"
    done
    [ $n -gt 10 ] || fail "$stage: only $n reads: does the preloaded library work?"
    "$FIRN" "$@" >whole.txt 2>err.txt
    cmp -s out.txt whole.txt || fail "$stage: exit code 0, but another output"
}
fails_everywhere .0001.hdf info "$frame"
fails_everywhere .0001.h5 info "$state"
exit 0
