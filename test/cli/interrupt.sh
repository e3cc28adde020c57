# SIGINT, SIGTERM and SIGKILL in the middle of a run: --resume ends with the hash of an
# uninterrupted one.
. "$(dirname "$0")/expect.sh"
frames=16
options=(--threads 1 --set mpm.cell=0.03 --frames $frames --set output.preview=false
    --set output.film=false)

expect 0 run "$tiny" -o whole -q "${options[@]}"
wanted=$(state_hash whole)

# interrupt SIGNAL DIR FRAME: sends SIGNAL once FRAME is done; leaves the exit code in $code.
interrupt() {
    local signal=$1 dir=$2 frame=$3 line
    stage="SIG$signal after frame $frame"
    mkfifo "$dir.fifo"
    "$FIRN" run "$tiny" -o "$dir" --json "${options[@]}" >"$dir.fifo" 2>err.txt &
    local pid=$!
    : >out.txt
    while read -r line; do
        echo "$line" >>out.txt
        case $line in
        *'"event":"frame","frame":'"$frame",*) kill -s "$signal" $pid 2>/dev/null ;;
        esac
    done <"$dir.fifo"
    wait $pid
    code=$?
}

for signal in INT TERM; do
    interrupt $signal "run$signal" 3
    same $code 130 "$stage: exit code"
    same "$(value out.txt result end)" interrupted "$stage: result"
    [ "$(state_hash "run$signal")" != "$wanted" ] || fail "$stage: it had already finished"
    expect 0 info "run$signal" --verify
    expect 0 run "$tiny" -o "run$signal" --resume -q "${options[@]}" --threads 2
    same "$(state_hash "run$signal")" "$wanted" "$stage, then --resume"
done

for frame in 0 4; do
    dir=killed$frame
    interrupt KILL $dir $frame
    same $code 137 "$stage: exit code"
    expect 0 info $dir --verify
    expect 0 run "$tiny" -o $dir --resume -q "${options[@]}"
    same "$(state_hash $dir)" "$wanted" "$stage, then --resume"
    same "$(cut -d, -f1 $dir/stats.csv)" "$(cut -d, -f1 whole/stats.csv)" \
        "$stage: rows of stats.csv"
done

# --resume where nothing is: a run from the start.
expect 0 run "$tiny" -o fresh --resume -q "${options[@]}"
same "$(state_hash fresh)" "$wanted" "--resume in an empty folder"

# Told how to go on.
"$FIRN" run "$tiny" -o told "${options[@]}" >out.txt 2>err.txt &
pid=$!
for _ in $(seq 100); do
    grep -q '^frame 1/' err.txt && break
    sleep 0.05
done
kill -s INT $pid
wait $pid
same $? 130 "SIGINT without --json"
says "SIGINT"
says "--resume"
exit 0
