# Exports into the folder of a run belong to it: its manifest lists them, and --overwrite removes
# them. Files that somebody else has put there stay.
. "$(dirname "$0")/expect.sh"

expect 0 run $tiny -o run -q
expect 0 export run --to ply,vtp,mesh,heights,colliders --frames 0:1
is_there run/ply/tiny.0001.ply
is_there run/mesh/tiny.0001.ply
is_there run/heights/tiny.0000.r32
is_there run/colliders/tiny.glb
grep -q '"kind": "mesh_ply"' run/manifest.json || fail "the manifest does not list meshes"
expect 0 info run --verify
cp run/ply/tiny.0001.ply run/ply/mine.ply
expect 0 run $tiny -o run -q --overwrite
absent run/ply/tiny.0001.ply
absent run/mesh
absent run/heights
absent run/colliders
absent run/tiny.pvd
is_there run/ply/mine.ply
is_there run/frames/tiny.0000.hdf
# a run goes on with its exports, and elsewhere is elsewhere
expect 0 export run --to ply -o other
absent run/ply/tiny.0001.ply
expect 0 export run --to mesh --frames 1
expect 0 run $tiny -o run -q --resume
is_there run/mesh/tiny.0001.ply
