# Beside a program that keeps all cores busy, threads that wait must not take processor time from
# it: a run on two threads may cost 1.2 times the processor time of one thread, for the loops that
# are split and for caches, and 20 ms for starting threads (60 for eight). Threads that spin would
# cost several times as much. The least of three.
. "$(dirname "$0")/expect.sh"

busy=
for core in $(seq "$(nproc)"); do
    while :; do :; done &
    busy="$busy $!"
done
trap 'kill $busy' EXIT

# Processor time of a run on so many threads [ms].
cost() {
    local TIMEFORMAT='%U %S' least=
    for try in 1 2 3; do
        { time "$FIRN" run "$tiny" -o "b$1" --overwrite --threads "$1" --frames 2 -q --solver "$2" \
            --set mpm.cell=0.008 --set output.preview=false >out.txt 2>err.txt || fail "$2 on $1 threads"; } 2>time.txt
        ms=$(awk '{printf "%d", 1000 * ($1 + $2)}' time.txt)
        [ -z "$least" ] || [ "$ms" -lt "$least" ] && least=$ms
    done
    echo "$least"
}

for solver in mpm grains; do
    one=$(cost 1 $solver)
    two=$(cost 2 $solver)
    eight=$(cost 8 $solver)
    echo "$solver: $one ms on one thread, $two on two, $eight on eight"
    [ $((10 * two)) -le $((12 * one + 200)) ] || fail "$solver: $two ms on two threads, $one on one"
    [ $((10 * eight)) -le $((12 * one + 600)) ] || fail "$solver: $eight ms on eight, $one on one"
done
