# Culled particles are counted everywhere, frames of different sizes are read and exported, and a
# run that was interrupted by its last frame goes on bit for bit.
. "$(dirname "$0")/expect.sh"

cat >cull.yaml <<'YAML'
firn: 1
solver: mpm
time: {frames: 6, fps: 60}
mpm: {cell: 0.02}
ballistic: {spacing: 0.02}
snow:
  - shape: {sphere: {center: [0, 0, 0], radius: 0.06}}
    velocity: [0.5, -2, 0]
cull: {below: -0.1, outside: {box: {center: [0, 0, 0], size: [1, 1, 1]}}}
render: {width: 64, height: 48}
YAML

for solver in mpm ballistic; do
    expect 0 run cull.yaml --solver $solver -o whole --overwrite --frames 4 --json
    all=$(value out.txt particles start)
    culled=$(value out.txt culled end)
    [ "$culled" -gt 0 ] || fail "nothing was culled"
    same $((culled + $(value out.txt particles frame))) "$all" "culled and remaining particles"
    same "$(value out.txt culled frame)" "$culled" "culled of the last frame"
    hash=$(value out.txt state_hash end)
    same "$("$python" - <<'PY'
import csv
print(sum(int(r["culled"]) for r in csv.DictReader(open("whole/stats.csv"))))
PY
)" "$culled" "sum over stats.csv"
    expect 0 run cull.yaml --solver $solver -o parts --overwrite --frames 2 -q
    expect 0 run cull.yaml --solver $solver -o parts --resume --frames 4 --threads 1 --json
    same "$(value out.txt state_hash end)" "$hash" "state hash after a resume"
    same "$(value out.txt culled end)" "$culled" "culled after a resume"
    expect 0 info whole --json --verify
    same "$(value out.txt culled)" "$culled" "culled in the manifest"
    expect 0 export whole --to ply,vtp -o exported
    expect 0 info exported/ply/cull.0004.ply
    shows "$((all - culled))"
done
expect 0 info whole
shows "$culled culled during the run"

# Another rule is another scene.
expect 3 run cull.yaml --solver ballistic -o whole --resume --frames 6 --set cull.below=-0.11
says "another scene"

# None left: a warning, and the run ends as it should.
expect 0 run cull.yaml -o whole --overwrite
says "all particles have been culled"
says "$all particles culled"
expect 0 info whole --verify
shows "complete"
expect 0 info whole/frames/cull.0006.hdf
shows "particles  0"
expect 0 export whole --to ply,vtp -o exported

# What is wrong is said with its place.
expect 3 check cull.yaml --set cull.above=1
says "unknown key 'above' in 'cull'"
expect 0 check cull.yaml --set cull.below=3
says "all of snow 0 starts below 3 m"
