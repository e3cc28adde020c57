# Input files that are no regular files, or missing: `check` and `run` refuse each at once, with
# the same exit code and sentence. `timeout` ends a command that hangs.
. "$(dirname "$0")/expect.sh"

has_vdb=$("$FIRN" version | grep -c '^features .*vdb')

cat >cube.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
OBJ

# scene KEY FILE: a scene that names FILE.
scene() {
    local snow='shape: {sphere: {center: [0, 0.08, 0], radius: 0.06}}' extra='' air='' render=''
    local shape="{plane: {point: [0, 0, 0], normal: [0, 1, 0]}}" deform='' motion=''
    case $1 in
    mesh) shape="{mesh: {file: $2}}" ;;
    level_set) shape="{level_set: {file: $2}}" ;;
    height) shape="{height_field: {size: [1, 1, 1], png: $2}}" ;;
    font) shape="{text: {text: x, font: $2, size: 1, depth: 1}}" ;;
    sequence) deform="animation: {file: '%d.$2', first: 1, last: 1, voxel: 0.1}" ;;
    cache) deform="animation: {file: $2, mesh: cube.obj, voxel: 0.1}" ;;
    gltf) deform="animation: {file: $2, voxel: 0.1}" ;;
    motion) motion="motion: {file: $2, node: a}" ;;
    points) snow="file: $2" ;;
    texture) extra="vary: {stiffness: {texture: {file: $2, low: 1, high: 2}}}" ;;
    wind) air="air: {velocity: [1, 0, 0], volume: {file: $2}}" ;;
    sky) render="render: {sky: {picture: $2}}" ;;
    esac
    {
        printf 'firn: 1\nsolver: mpm\ntime: {frames: 1, fps: 60}\nmpm: {cell: 0.02}\n'
        printf 'snow:\n  - %s\n' "$snow"
        [ -z "$extra" ] || printf '    %s\n' "$extra"
        printf 'colliders:\n'
        if [ -n "$deform" ]; then
            printf '  - %s\n' "$deform"
        else
            printf '  - shape: %s\n' "$shape"
            [ -z "$motion" ] || printf '    %s\n' "$motion"
        fi
        printf '%s\n%s\noutput: {preview: false}\n' "$air" "$render"
    } >scene.yaml
}

# bounded CODE ARGS…: as expect, ended after 20 s.
bounded() {
    local want=$1 got
    shift
    stage="firn $* ($what)"
    timeout 20 "$FIRN" "$@" >out.txt 2>err.txt </dev/null
    got=$?
    [ $got -eq "$want" ] || fail "$stage: exit code $got instead of $want"
}

# refused CODE FILE SENTENCE: by both commands, with the same message.
refused() {
    bounded "$1" check scene.yaml
    says "$2"
    says "$3"
    grep error: err.txt >check.txt
    bounded "$1" run scene.yaml -o out
    grep error: err.txt >run.txt
    cmp -s check.txt run.txt || fail "$stage: 'check' and 'run' say different things"
    absent out
}

for key in mesh:obj mesh:glb level_set:vdb height:png font:ttf cache:pc2 gltf:glb motion:gltf \
    points:ply texture:vdb wind:vdb; do
    kind=${key%:*} end=${key#*:}
    mkfifo "pipe.$end" 2>/dev/null
    [ -d "folder.$end" ] || mkdir "folder.$end"
    ln -sf /dev/zero "device.$end"
    for case in "pipe:a pipe" "folder:a folder" "device:a device" "none:No such file"; do
        case $kind:$case in  # two are enough for these
        mesh:folder:* | mesh:device:* | points:* | wind:* | *:pipe:* | *:none:*) ;;
        *) continue ;;
        esac
        file=${case%%:*}.$end what="$kind from $file"
        words=${case#*:} code=3
        # what .vdb files are for is not built: said first, whatever the file is
        [ "$has_vdb" -gt 0 ] || [ "$kind" != level_set ] || words=OpenVDB code=7
        [ "$kind" != font ] || words="there is no font"  # looked for among installed ones, too
        scene "$kind" "$file"
        refused $code "$file" "$words"
    done
done

# A right scene that this build cannot run; a mistake in it counts more.
if [ "$has_vdb" -eq 0 ]; then
    what="a level set without OpenVDB"
    scene level_set rock.vdb
    refused 7 rock.vdb OpenVDB
    sed -i 's/cell: 0.02/cell: -1/' scene.yaml
    refused 3 rock.vdb OpenVDB
fi

what="a mesh"
scene mesh cube.obj
bounded 0 check scene.yaml

mkfifo 1.pipe.obj
what="a sequence of meshes"
scene sequence pipe.obj
refused 3 1.pipe.obj "a pipe"

# The sky is used by `firn render` only: a warning.
for case in "pipe:a pipe" "none:No such file"; do
    file=${case%%:*}.exr what="sky from $file"
    [ "$file" = none.exr ] || mkfifo "$file"
    scene sky "$file"
    bounded 0 check scene.yaml
    says "${case#*:}"
done

# A path in the scene is one from the scene's folder; one that is typed, from the current folder.
what="sky from --set"
mkdir elsewhere
printf '#?RADIANCE\n\n-Y 1 +X 1\n\200\200\200\200' >elsewhere/sky.hdr
scene sky none.exr
(cd elsewhere && "$FIRN" check ../scene.yaml --set render.sky.picture=sky.hdr) >out.txt 2>err.txt
! grep -q "No such file" err.txt || fail "--set looks for files in the scene's folder"
bounded 0 check scene.yaml --set render.sky.picture=sky.hdr
says "sky.hdr"
says "No such file"

# The scene itself, and files of runs.
what="other commands"
mkfifo pipe.yaml pipe.vtkhdf
bounded 3 check pipe.yaml
says "a pipe"
bounded 3 run pipe.yaml
bounded 4 info pipe.vtkhdf

mkdir run
mkfifo run/manifest.json
bounded 4 info run
timeout 20 "$FIRN" check /dev/stdin <"$tiny" >out.txt 2>err.txt || fail "a scene from stdin"

# A picture of one colour shrinks to nothing: 8 KB would take 400 MB.
"$python" - <<'PY'
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
side = 8000
rows = zlib.compress(bytes((1 + side // 8) * side), 9)
header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
with open("flat.png", "wb") as out:
    out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) +
              chunk(b"IEND", b""))
PY
what="a flat picture"
scene height flat.png
refused 3 flat.png "too much memory"

# A file that is there is read by `check`: its particles are counted.
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n' >points.ply
printf 'property float z\nend_header\n0 1 0\n0 1.1 0\n0 1.2 0\n' >>points.ply
what="points of a file"
scene points points.ply
bounded 0 check scene.yaml --json
same "$(value out.txt particles)" 3 "particles from a file"
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nend_header\n0\n' >cut.ply
what="a damaged file of points"
scene points cut.ply
refused 3 cut.ply "the header promises 3"
exit 0
