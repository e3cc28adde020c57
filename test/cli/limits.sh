# Absurd sizes are refused before any work, with what would fit; --memory bounds the whole process.
. "$(dirname "$0")/expect.sh"
plain=(--set output.preview=false --set output.film=false)

# suggested: the size of particles that the last message recommends.
suggested() { sed -n 's/.*of at least \([0-9.e-]*\) m, or less snow.*/\1/p' err.txt | head -n 1; }
# quick CODE ARGS…: as expect, stopped after a minute: a refusal needs no sampling.
quick() {
    local want=$1
    shift
    stage="firn $*"
    timeout -s KILL 60 "$FIRN" "$@" >out.txt 2>err.txt </dev/null
    same $? "$want" "$stage: exit code"
}

# More particles than numbers for them, more cells than can be searched, more memory than there is:
# check and run say the same.
for cell in 3e-5 1e-5 1.6e-4; do
    for command in check run; do
        quick 3 $command "$tiny" --set mpm.cell=$cell
        says "of at least"
        absent runs
    done
done
for solver in sph.spacing grains.radius ballistic.spacing; do
    quick 3 check "$tiny" --solver ${solver%.*} --set $solver=2e-5
    says "error: "
    quick 3 run "$tiny" --solver ${solver%.*} --set $solver=2e-5
    absent runs
done

# A limit: check refuses with 3, run with 6, and what they suggest fits.
quick 3 check "$tiny" --set mpm.cell=0.002 --memory 10M
says "--memory allows 10 MiB"
cell=$(suggested)
quick 6 run "$tiny" --set mpm.cell=0.002 --memory 10M
says "--memory allows 10 MiB"
same "$(suggested)" "$cell" "suggestions of run and check"
absent runs
quick 0 check "$tiny" --set mpm.cell="$cell" --memory 10M
expect 0 run "$tiny" --set mpm.cell="$cell" --memory 10M -o fits -q --frames 1 \
    --set time.fps=500 "${plain[@]}"

# A GPU's memory: what a scene takes there is said without one; whether it fits, with one only.
expect 0 check "$tiny"
shows "GPU memory"
expect 0 check "$tiny" --json
shows '"device_bytes":'
expect 7 check "$tiny" --backend cuda:4711
says "cuda:4711"
expect 7 check "$tiny" --backend gpu
says "there is no backend 'gpu'"
expect 0 check "$tiny" --backend cpu

# Flakes that will not fit: a warning, because a run may end before they have appeared.
cat >flakes.yaml <<'YAML'
firn: 1
solver: sph
time: {frames: 60, fps: 60}
sph: {spacing: 0.02}
emitters:
  - {shape: {box: {center: [0, 1, 0], size: [0.5, 0.1, 0.5]}}, rate: 1e8}
YAML
quick 0 check flakes.yaml --memory 1G
says "flakes until the end"
quick 0 check flakes.yaml --memory 1G --set cull.below=-1
! grep -q "flakes until the end" err.txt || fail "$stage: a warning in spite of cull"

# The smallest limit that suffices, to the byte: one byte less ends with 6 and a message.
low=1 high=$((4 << 20)) n=0
while [ $((high - low)) -gt 1 ]; do
    middle=$(((low + high) / 2)) n=$((n + 1))
    "$FIRN" run "$tiny" --memory $middle -o "limit$n" -q --frames 1 --threads 1 "${plain[@]}" \
        >out.txt 2>err.txt
    code=$?
    stage="--memory $middle"
    if [ $code -eq 0 ]; then
        high=$middle
    else
        low=$middle
        same $code 6 "$stage: exit code"
        says "memory"
    fi
done
[ $high -lt $((4 << 20)) ] || fail "--memory: 4 MiB do not suffice"

# Sanitizers take memory of their own: no limit on the process.
grep -qE "__(asan|tsan)_init" "$FIRN" && exit 0

# Memory outside of the simulation: the level set of a text takes hundreds of megabytes here.
if "$FIRN" version | grep -q freetype; then
    cat >text.yaml <<'YAML'
firn: 1
time: {frames: 1, fps: 60}
mpm: {cell: 0.05}
snow:
  - shape: {box: {center: [0, 0.5, 0], size: [0.2, 0.2, 0.2]}}
colliders:
  - shape: {text: {text: FIRN, font: DejaVuSans-Bold, size: 0.3, depth: 0.1, voxel: 0.0007}}
YAML
    export FIRN_CACHE=off
    quick 6 run text.yaml --memory 20M
    says "out of memory"
    says "--memory allows 20.0 MiB"
    absent runs
fi

# Threads that cannot start: the run goes on with fewer, or says what is missing.
stage="too many threads"
prlimit --as=$((3 << 29)) "$FIRN" run "$tiny" -o threads --threads 400 >out.txt 2>err.txt
code=$?
if [ $code != 0 ]; then
    same $code 6 "$stage: exit code"
    says "out of memory"
fi

# Limits of the system: refused before they are reached.
stage="prlimit --as"
prlimit --as=$((2 << 30)) "$FIRN" check "$tiny" --set mpm.cell=2.5e-4 >out.txt 2>err.txt
same $? 3 "$stage: exit code"
says "this process can get 2.0 GiB"
exit 0
