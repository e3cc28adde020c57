# Making a run smaller without losing what stays.
. "$(dirname "$0")/expect.sh"

# points DIR: a hash of all exported values of each frame.
points() {
    rm -rf points
    expect 0 export "$1" --to ply -o points -q
    (cd points/ply && sha256sum -- *.ply)
}

# Runs that are compared have the same options.
options="-q --threads 1 --set output.preview=true --set output.film=false
    --set output.checkpoint.keep=3 --set output.points=[ply,vtp] --set output.fields=[velocity,id]
    --set render.width=32 --set render.height=32"
expect 0 run "$tiny" -o run $options --frames 4
expect 0 run "$tiny" -o whole $options --frames 6
hash=$(state_hash whole)
points run >before.txt

stage="refusals"
cp -r run untouched
expect 2 trim run
says "say what to keep"
expect 2 trim run --fields velocity,speed
says "have no field 'speed': they have velocity, id"
expect 3 trim run --frames 1,9
says "has no frame 9; its last frame is 4"
expect 2 trim run --frames 1:x
says "option '--frames': '1:x' is not frames such as 12"
expect 2 trim run --checkpoints 0
says "add --no-resume"
expect 3 trim nowhere --frames 1
expect 0 trim run --frames 0:4:2 --fields velocity --checkpoints 1 --dry-run
shows "3 of 5 stay"
shows "and what rewriting saves"
diff -r run untouched >/dev/null || fail "a refusal or a dry run has changed the run"

stage="frames"
expect 0 trim run --frames 0:4:2 --json
same "$(value out.txt frames_kept)" 3 "frames that stay"
[ "$(value out.txt bytes_after)" -lt "$(value out.txt bytes_before)" ] || fail "nothing was saved"
same "$(ls run/frames | wc -l)" 3 "frames on disk"
same "$(ls run/ply run/vtp | grep -c tiny)" 6 "files made from frames"
same "$(grep -c DataSet run/tiny.pvd)" 3 "frames of the series"
same "$(ls run/preview | wc -l)" 5 "pictures stay"
expect 0 info run --verify
shows "3 (0 to 4)"
points run >after.txt
same "$(cat after.txt)" "$(grep -E '0000|0002|0004' before.txt)" "frames that stay"

stage="fields and packing"
size=$(stat -c %s run/frames/tiny.0002.hdf)
expect 0 trim run --fields velocity --compression 9
shows "3 were rewritten"
[ "$(stat -c %s run/frames/tiny.0002.hdf)" -lt "$size" ] || fail "the frame is not smaller"
same "$(ls run/frames | tr '\n' ' ')" "tiny.0000.hdf tiny.0002.hdf tiny.0004.hdf " "names"
expect 0 info run --verify
expect 0 info run/frames/tiny.0002.hdf
shows "velocity"
! grep -q " id " out.txt || fail "the field 'id' is still there"
expect 0 trim run --fields velocity --compression 9
shows "size"
! grep -q "rewritten" out.txt || fail "a frame that is as it should be was rewritten"
expect 0 export run --to ply -o fewer -q --frames 2
expect 0 render run --frames 2 --samples 1 --size 16x16 --threads 1 --no-film --set render.shutter=0.5
cp -r run blind
expect 0 trim blind --fields position
expect 0 render blind -o pictures --frames 2 --samples 1 --size 16x16 --threads 1 --no-film --set render.shutter=0.5
says "has no velocities"

stage="checkpoints and resuming"
expect 0 trim run --checkpoints 1
shows "1 of 3 stay"
same "$(ls run/state | wc -l)" 1 "checkpoints"
expect 0 run "$tiny" -o run $options --frames 6 --resume
same "$(state_hash run)" "$hash" "state after a trim and --resume"
expect 0 info run --verify
expect 0 trim run --no-resume
same "$(ls run/state | wc -l)" 0 "checkpoints with --no-resume"
expect 0 info run --verify

stage="a trim that was ended"
# its replacement of a frame was not listed yet, a dropped frame not removed; tools/faults kills it
cp untouched/frames/tiny.0001.hdf run/frames/
cp untouched/frames/tiny.0002.hdf run/frames/tiny.trim.0002.hdf
cp untouched/state/tiny.0003.h5 run/state/
touch run/frames/notes.hdf run/frames/tiny.hdf
expect 0 info run --verify
expect 0 trim run --frames 0:
same "$(ls run/frames | tr '\n' ' ')" "notes.hdf tiny.0000.hdf tiny.0002.hdf tiny.0004.hdf \
tiny.0005.hdf tiny.0006.hdf tiny.hdf " "files after it was finished"
same "$(ls run/state | wc -l)" 0 "checkpoints after it was finished"
expect 0 info run --verify

stage="a damaged frame"
cp -r untouched hurt
printf 'x' | dd of=hurt/frames/tiny.0001.hdf bs=1 seek=3000 conv=notrunc status=none
expect 3 trim hurt --fields velocity
says "1 of 5 frames could not be read and stay as they are"
expect 3 info hurt --verify

stage="single frames"
expect 0 info untouched --frames 0:4:2 --json
same "$(wc -l <out.txt)" 3 "frames that are described"
same "$(value out.txt frame) $(value out.txt fields)" "4 position velocity id" "the last of them"
expect 0 info untouched --frames 1,3
shows "position velocity id"
expect 3 info untouched --frames 1,7
says "does not have all of these frames"
expect 3 info untouched --frames 7:
expect 3 info hurt --frames 1
expect 2 info untouched --frames 1 --verify
