# Paths as long as the system accepts work; longer ones are refused with a sentence. None is cut.
. "$(dirname "$0")/expect.sh"
options=(--threads 1 --frames 1 -q --set mpm.cell=0.03 --set render.width=32 --set render.height=24
    --set "output.points=[ply,vtp]")
contents() { find "$1" -type f -exec sha256sum {} + | sort; }

# deep BYTES: a relative path of that many bytes, with parts of at most 201.
part=$(printf '%0200d' 0)
deep() {
    local path=$part
    while [ ${#path} -lt "$1" ]; do path=$path/$part; done
    path=${path:0:$1}
    printf '%s' "${path%/}"
}

# A run whose path is the beginning of another one.
short=$(deep 1023)
long=$short$(printf '%0180d' 0)
expect 0 run "$tiny" -o "$short" "${options[@]}"
before=$(contents "$short")
expect 0 run "$tiny" -o "$long" --overwrite "${options[@]}"
[ -e "$long/tiny.mp4" ] || ! command -v ffmpeg >/dev/null || says "use a shorter folder"
same "$(contents "$short")" "$before" "the run whose path is the beginning of -o"
is_there "$long/manifest.json"
expect 2 run "$tiny" -o "$long" "${options[@]}"
rm -r "${part:?}"

# Every command, with paths of 3 000 bytes; the scene and its points are as deep.
folder=$(deep 3000)
mkdir -p "$folder/in"
sed 's/^  - shape: {sphere.*/  - file: points.ply/' "$tiny" >"$folder/in/deep.yaml"
{
    printf 'ply\nformat ascii 1.0\nelement vertex 216\n'
    printf 'property float x\nproperty float y\nproperty float z\nend_header\n'
    for x in 0 1 2 3 4 5; do
        for y in 0 1 2 3 4 5; do
            for z in 0 1 2 3 4 5; do printf '.0%s5 .0%s5 .0%s5\n' $x $y $z; done
        done
    done
} >"$folder/in/points.ply"
scene=$folder/in/deep.yaml
run=$folder/run
expect 0 check "$scene" --json
expect 0 run "$scene" -o "$run" "${options[@]}"
expect 0 run "$scene" -o "$run" --resume "${options[@]}" --frames 2
expect 0 info "$run" --verify
expect 0 info "$run/frames/deep.0001.hdf"
expect 0 measure "$run"
expect 0 export "$run" --to ply,vtp,heights -o "$folder/out"
is_there "$folder/out/ply/deep.0001.ply"
expect 0 render "$run" --samples 1 --size 16x16 --json
is_there "$(value out.txt first end)"
[ ! -e "$run/deep.mp4" ] || is_there "$(value out.txt film end)"
expect 0 run "$scene" -o "$run" --overwrite "${options[@]}"
(
    cd "$folder/in" || exit 1
    FIRN_SCENE_PATH=$PWD
    cd - >/dev/null && mkdir -p "$folder/in/kind/shipped" && cp "$folder/in/points.ply" "$_" &&
        cp "$scene" "$_/scene.yaml"
    expect 0 check shipped
) || exit 1

# What is too long is refused, and nothing is written.
for bytes in 4096 4200 9000; do
    much=$(deep $bytes)
    for command in "run $tiny -o" "info" "export --to ply" "render" "measure"; do
        case $command in
            run*) expect 4 $command "$much" "${options[@]}" ;;
            *) expect 4 $command "$much" ;;
        esac
        grep -qE 'too long' err.txt || fail "$stage: does not say that the path is too long"
    done
    expect 3 check "$much"
    expect 4 export "$run" --to ply -o "$much"
    expect 4 render "$run" --frames 0 --samples 1 --size 16x16 -o "$much"
done
expect 4 run "$tiny" -o "$(printf '%0256d' 0)" "${options[@]}"
says "too long"
# the folder fits, its files do not
most=$(deep 4080)
expect 4 run "$tiny" -o "$most" "${options[@]}"
says "too long"
# a value of --set, and a path in a scene
expect 3 check "$tiny" --set "title=$(deep 5000)"
says "at most 1000"
expect 3 check "$scene" --set "snow.0.file=$(deep 5000)"
says "shorter path"
exit 0
