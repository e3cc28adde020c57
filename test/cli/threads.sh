# The same state hash for any number of threads, also more than there are cores.
. "$(dirname "$0")/expect.sh"

for threads in 1 2 3 8; do
    expect 0 run "$tiny" -o "t$threads" --threads $threads --frames 3 -q --set output.preview=false
    hash=$(state_hash "t$threads")
    [ $threads -eq 1 ] && first=$hash
    same "$hash" "$first" "state hash with $threads threads"
done
