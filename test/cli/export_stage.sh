# Colliders with their motion as glTF, and whole stages as USD, against the frames and the scene.
# An argument `reader`: a stage read by tinyusdz (npm), written again by it, and compared; NODE_PATH
# names the folder where it is installed.
. "$(dirname "$0")/expect.sh"
export PYTHONDONTWRITEBYTECODE=1

if [ "${1-}" = reader ] &&
    ! node -e 'require.resolve("tinyusdz/package.json")' >/dev/null 2>&1; then
    echo "skipped: node or its package tinyusdz is not installed (npm install tinyusdz, NODE_PATH)"
    exit 77
fi
cp "$here/stage.yaml" .
"$python" "$here/stage.py" blocks
expect 0 run stage.yaml -o run -q
if [ "${1-}" = reader ]; then
    expect 0 export run --to usd -o out --points 100 -q
    node "$here/usd_reader.mjs" out/stage.usda again.usda || fail "tinyusdz"
    "$python" "$here/stage.py" same out/stage.usda again.usda || fail "tinyusdz reads otherwise"
    exit 0
fi
expect 0 export run --to ply -o points -q
expect 0 export run --to usd,colliders -o out --points 100 -q
expect 0 export run --to usd -o z-up --points 100 --z-up -q
"$python" "$here/stage.py" check points/ply out/stage.usda z-up/stage.usda \
    out/colliders/stage.glb || fail "see above"
same "$(ls z-up | tr '\n' ' ')" "stage.usda vdb " "a stage brings its volumes"

# Without points, and of one frame: nothing moves.
expect 0 export run --to usd,colliders -o still --points 0 --frames 2
! grep -q '"particles"' still/stage.usda || fail "--points 0"
! grep -q animations still/colliders/stage.glb || fail "an animation of one frame"
expect 2 export run --to usd --points -1

# A name that would end a path of USD, and go on as something else.
cp "$tiny" 'a@@@b.yaml'
expect 0 run 'a@@@b.yaml' -o at -q --frames 0 --set output.preview=false
expect 0 export at --to usd --points 0 -q
grep -qF '@@@./vdb/a\@@@b.0000.vdb@@@' 'at/a@@@b.usda' || fail "the path of a@@@b"

# Colliders are read again by firn: two that move like the nodes of the file.
cat >again.yaml <<'YAML'
firn: 1
solver: mpm
time: {frames: 1, fps: 20}
mpm: {cell: 0.02}
snow: [{shape: {sphere: {center: [0, 0.3, 0], radius: 0.05}}}]
colliders:
  - shape:
      mesh: {file: out/colliders/stage.glb, node: collider_1, coordinates: node, voxel: 1 cm}
    motion: {file: out/colliders/stage.glb, node: collider_1}
YAML
expect 0 check again.yaml
shows "0 errors, 0 warnings"
exit 0
