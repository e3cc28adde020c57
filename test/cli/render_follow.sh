# Pictures while the run is still going, and a Ctrl-C in between.
. "$(dirname "$0")/expect.sh"
small=(--size 48x28 --samples 2 --threads 1 --no-exr)
slow=(--threads 1 --set mpm.cell=0.014 --set output.preview=false)
slower=(--threads 1 --set mpm.cell=0.006 --set output.preview=false)  # seconds, on any machine

# A run that is complete needs no waiting.
expect 0 run "$tiny" -o done -q --set output.preview=false --frames 2
expect 0 render done "${small[@]}" --follow
same "$(find done/pictures -name '*.png' | wc -l)" 3 "pictures of a finished run"
expect 3 render done "${small[@]}" --follow --frames 5 --resume
says "ends at frame 2"
expect 3 render nowhere --follow

# A run that is going: all of its frames, whatever is there at the start. Two runs cannot share a
# folder.
"$FIRN" run "$tiny" -o live -q --frames 4 "${slower[@]}" 2>run.txt &
pid=$!
for _ in $(seq 100); do [ -e live/manifest.json ] && break; sleep 0.02; done
expect 4 run "$tiny" -o live -q --overwrite
says "another firn is writing"
expect 0 render live "${small[@]}" --follow
wait $pid || fail "the run that was followed: $(cat run.txt)"
same "$(find live/pictures -name '*.png' | wc -l)" 5 "pictures of a run that went on"

# A run that was killed: what there is, then how to go on.
"$FIRN" run "$tiny" -o dead --json --frames 40 "${slow[@]}" >events.txt 2>run.txt &
pid=$!
for _ in $(seq 100); do grep -q '"frame":1,' events.txt && break; sleep 0.02; done
kill -s KILL $pid
wait $pid 2>/dev/null
expect 3 render dead "${small[@]}" --follow
says "stopped at frame"
says "--resume"
is_there dead/pictures/tiny.0000.png

# Ctrl-C: the pictures that are done stay, the command to go on is told, and it makes the rest.
"$FIRN" render live --size 96x72 --samples 40 --threads 1 --no-film --no-exr \
    -o stopped >out.txt 2>err.txt &
pid=$!
for _ in $(seq 400); do grep -q '^picture 1/' err.txt && break; sleep 0.02; done
kill -s INT $pid
wait $pid
same $? 130 "SIGINT"
# A picture's preparation that takes a second more is cut off, as it does with ThreadSanitizer.
if [ "${FIRN_SANITIZE:-}" != thread ]; then
    says "Interrupted by SIGINT"
    says "--resume"
fi
is_there stopped/tiny.0000.png
absent stopped/tiny.0004.png
same "$(find stopped -name '*.tmp' | wc -l)" 0 "temporary files after SIGINT"
expect 0 render live --size 96x72 --samples 40 --no-film --no-exr -o stopped --resume \
    --frames 0:1 --json
[ "$(value out.txt skipped end)" -ge 1 ] || fail "the picture that was done is kept"
exit 0
