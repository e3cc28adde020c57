# What is in the folder of a run decides, not what could be read of it: only a folder without a
# manifest is empty. Any other trouble stops every command with exit code 4, and changes nothing.
. "$(dirname "$0")/expect.sh"
options=(--threads 1 --frames 2 -q --set mpm.cell=0.03 --set output.film=false
    --set output.preview=false)

contents() { find run -type f -exec sha256sum {} + | sort; }

# refused CODE TEXT: every command that needs the run ends with CODE and names TEXT.
refused() {
    local code=$1 text=$2
    shift 2
    for command in "run $tiny -o run" "run $tiny -o run --resume" "render run" "info run" \
        "export run --to ply" "measure run"; do
        expect "$code" $command
        says "$text"
    done
}

expect 0 run "$tiny" -o run "${options[@]}"
before=$(contents)

# A link that leads to itself, and a folder: errors that root has, too.
mv run/manifest.json kept
ln -s manifest.json run/manifest.json
refused 4 manifest.json
expect 4 run "$tiny" -o run --overwrite
rm run/manifest.json
mkdir run/manifest.json
refused 4 manifest.json
expect 4 run "$tiny" -o run --overwrite
rmdir run/manifest.json
mv kept run/manifest.json
same "$(contents)" "$before" "the run after errors of its manifest"

# No permission. Root has all of them, so it becomes somebody else.
as_nobody=
if [ "$(id -u)" -eq 0 ]; then
    chmod -R a+rwX .
    as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
    [ "$($as_nobody id -u 2>/dev/null)" = 65534 ] && $as_nobody test -x "$FIRN" -a -w . ||
        as_nobody=none
fi
if [ "$as_nobody" != none ]; then
    chmod 000 run/manifest.json
    firn=$FIRN
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$as_nobody" "$firn" >locked.sh
    chmod 755 locked.sh
    FIRN=./locked.sh
    refused 4 manifest.json
    expect 4 run "$tiny" -o run --overwrite
    chmod 644 run/manifest.json
    chmod 000 run
    refused 4 run
    chmod 755 run
    FIRN=$firn
    same "$(contents)" "$before" "the run after missing permissions"
fi

# A checkpoint that cannot be read: --resume does not fall back to frame 0 or another checkpoint.
newest=$(find run/state -type f | sort | tail -n 1)
mv "$newest" kept
mkdir "$newest"
expect 4 run "$tiny" -o run --resume --frames 3 --threads 1 --set mpm.cell=0.03
says "$(basename "$newest")"
expect 4 info run
rmdir "$newest"
mv kept "$newest"
same "$(contents)" "$before" "the run after an error of its checkpoint"

# A checkpoint that is gone: the one before it.
mv "$newest" kept
expect 0 run "$tiny" -o run --resume "${options[@]}"
says "missing"
rm kept

# Nothing there: not an error of the disk.
for command in "render none" "info none" "export none --to ply" "measure none"; do
    expect 3 $command
    says none
done
expect 4 info "$tiny/none"
mkdir empty
expect 0 run "$tiny" -o empty --resume "${options[@]}"

# Frames without a manifest are somebody's work.
rm empty/manifest.json
for flags in "" --resume; do
    expect 3 run "$tiny" -o empty $flags "${options[@]}"
    says "no manifest.json"
    says "--overwrite"
done
expect 3 info empty
says "no manifest.json"
expect 0 run "$tiny" -o empty --overwrite "${options[@]}"

# Neither are other files with the names of its own: here, the scene itself.
mkdir other
cp "$tiny" other/scene.yaml
for flags in "" --resume; do
    expect 4 run other/scene.yaml -o other $flags "${options[@]}"
    says other/scene.yaml
done
cmp "$tiny" other/scene.yaml || fail "the scene in the folder has changed"
rm other/scene.yaml
echo mine >other/tiny.mp4
expect 4 run "$tiny" -o other "${options[@]}"
says tiny.mp4
same "$(cat other/tiny.mp4)" mine "a film in the folder"
same "$(ls other)" tiny.mp4 "files in the folder"
expect 0 run "$tiny" -o other --overwrite "${options[@]}"

# A run that ended before its first frame counts as none. ThreadSanitizer itself needs files.
[ "${FIRN_SANITIZE:-}" != thread ] || exit 0
(
    ulimit -f 1
    exec "$FIRN" run "$tiny" -o early "${options[@]}" >out.txt 2>err.txt
)
same $? 4 "a disk without room for a frame"
expect 0 run "$tiny" -o early "${options[@]}"
exit 0
