# A run folder from somebody else: whatever its manifest says and wherever its links lead, firn
# writes and removes only files of the run, inside the folder.
. "$(dirname "$0")/expect.sh"
options=(--threads 1 --frames 2 -q --set mpm.cell=0.03 --set render.width=32 --set render.height=24
    --set "output.points=[ply,vtp]")
forge() { "$python" "$here/forge.py" "$@" || fail "forge $*"; }
fresh() { rm -rf run && cp -r kept run; }
# outside: everything but the run itself, which no command may change.
outside() {
    find . -path ./run -prune -o -type f ! -name '*.txt' ! -name info.json -exec sha256sum {} + |
        sort
}

expect 0 run "$tiny" -o kept "${options[@]}"
mkdir victim
for name in victim.mp4 victim.sheet.png victim.pvd victim/tiny.0001.hdf victim/thesis; do
    echo precious >$name
done
before=$(outside)
unchanged() { same "$(outside)" "$before" "$1"; }

# A forged manifest is as valid as the original one where nothing is wrong with it.
fresh
forge run '"scene": "tiny"' '"scene": "tiny"'
expect 0 info run

# Names of the scene that lead out of the folder, or that a terminal would obey.
for name in ../victim /tmp/victim a/../../victim .. 'a\u001b]0;b' 'a\u000ab' './victim'; do
    fresh
    forge run '"scene": "tiny"' "\"scene\": \"$name\""
    for command in "info run" "export run --to ply" "render run" "run $tiny -o run --resume" \
        "run $tiny -o run"; do
        expect 3 $command
        says "name of the scene"
    done
    expect 0 run "$tiny" -o run --overwrite "${options[@]}"
    unchanged "files outside, scene '$name'"
done
# NUL ends no name early
fresh
forge run '"scene": "tiny"' '"scene": "tiny\u0000x"'
expect 3 info run

# Names of files, likewise.
for name in ../victim.mp4 /etc/hostname frames/../../victim.mp4 'frames/\u000a' 'frames/'; do
    fresh
    forge run frames/tiny.0001.hdf "$name"
    expect 3 run "$tiny" -o run --resume "${options[@]}"
    says "outside the folder"
    expect 0 run "$tiny" -o run --overwrite "${options[@]}"
    unchanged "files outside, entry '$name'"
done

# --overwrite removes what the manifest lists, as it lists it.
fresh
echo mine >run/thesis
echo mine >run/tiny.notes.txt
echo mine >run/frames/tiny.extra.hdf
echo mine >run/preview/tiny.0009.png
echo changed >run/preview/tiny.0001.png
forge run add frame 7 thesis "$tiny"
expect 0 run "$tiny" -o run --overwrite --frames 0 --threads 1 --set output.preview=false
says thesis
says preview/tiny.0001.png
for name in thesis tiny.notes.txt frames/tiny.extra.hdf preview/tiny.0009.png; do
    same "$(cat run/$name)" mine "the user's own run/$name"
done
same "$(cat run/preview/tiny.0001.png)" changed "a picture that the user has changed"
for name in frames/tiny.0001.hdf state/tiny.0001.h5 preview/tiny.0000.png preview/tiny.0002.png \
    ply/tiny.0001.ply vtp/tiny.0001.vtp tiny.pvd tiny.mp4 tiny.sheet.png; do
    absent run/$name
done
expect 0 info run --verify

# A folder of the run that leads elsewhere.
for folder in frames state preview ply vtp; do
    fresh
    rm -r "run/$folder"
    ln -s ../victim "run/$folder"
    for flags in --overwrite --resume; do
        expect 4 run "$tiny" -o run $flags --frames 3 --threads 1 --set mpm.cell=0.03 \
            --set "output.points=[ply,vtp]"
        says "run/$folder"
        unchanged "files outside, run/$folder is a link"
    done
done
fresh
forge run add frame 9 frames/tiny.0001.hdf victim/tiny.0001.hdf
rm -r run/frames
ln -s ../victim run/frames
expect 4 run "$tiny" -o run --overwrite
says "symbolic link"
unchanged "files outside, a listed file behind a link"
for folder in ply vtp heights; do
    fresh
    rm -rf "run/$folder"
    ln -s ../victim "run/$folder"
    expect 4 export run --to $folder
    says "symbolic link"
    unchanged "files outside, run/$folder is a link"
done
fresh
ln -s ../victim run/pictures
expect 4 render run --frames 0 --samples 1 --size 16x16
says "run/pictures"
unchanged "files outside, run/pictures is a link"

# Links in the places of files, of temporary ones, too, are not written through.
fresh
for name in manifest.json scene.yaml stats.csv tiny.pvd tiny.mp4 tiny.sheet.png \
    frames/tiny.0001.hdf \
    state/tiny.0002.h5 preview/tiny.0001.png ply/tiny.0001.ply vtp/tiny.0001.vtp; do
    ln -s "$PWD/victim/thesis" "run/$name.tmp"
    [ $name = manifest.json ] || ln -sf "$PWD/victim/thesis" "run/$name"
done
expect 4 run "$tiny" -o run --resume --frames 3 "${options[@]:4}"
unchanged "files outside, links in place of files, --resume"
expect 0 run "$tiny" -o run --overwrite "${options[@]}"
unchanged "files outside, links in place of files, --overwrite"
expect 0 info run --verify
same "$(state_hash run)" "$(state_hash kept)" "the run in place of links"
[ ! -L run/stats.csv ] || fail "stats.csv is still a link"
mkdir pictures
ln -s "$PWD/victim" pictures/.tiny.film
for n in 0000 0001; do
    for end in png exr; do ln -s "$PWD/victim/thesis" pictures/tiny.$n.$end.tmp; done
done
expect 0 render run --frames 0:1 --samples 1 --size 16x16 -o pictures
rm -r pictures
unchanged "files outside, links among the pictures"

# The lock and a stats.csv with a second name.
fresh
ln run/stats.csv second
echo x >>second
expect 4 run "$tiny" -o run --resume --frames 3 "${options[@]:4}"
says stats.csv
rm second
exit 0
