# A scene with five different mistakes reports all five, each with its line; exit code 3.
. "$(dirname "$0")/expect.sh"

expect 3 check "$here/bad.yaml"
shows "5 errors"
while read -r line word; do
    grep -qE "bad\.yaml:$line:[0-9]+: error: .*$word" err.txt ||
        fail "line $line: no error about '$word'"
done <<'LINES'
3 frames
4 gravty
8 young
11 radus
12 granite
LINES
same "$(grep -c ': error: ' err.txt)" 5 "errors reported"
says "(did you mean 'radius'?)"
grep -qE '^ *\|? *\^' err.txt || fail "no caret under the mistake"

expect 3 run "$here/bad.yaml"
same "$(grep -c ': error: ' err.txt)" 5 "errors reported by run"
absent runs

expect 3 check "$here/bad.yaml" --json
same "$(value out.txt errors)" 5 "errors in JSON"
same "$("$python" -c 'import json
messages = json.load(open("out.txt"))["messages"]
print(*sorted(m["line"] for m in messages if m["severity"] == "error"))')" \
    "3 4 8 11 12" "lines in JSON"

expect 3 check nowhere.yaml
says nowhere.yaml
expect 3 check snowbal-drop
says "snowball-drop"
expect 3 check "$tiny" --set mpm.cel=0.02
says "cell"
expect 3 check "$tiny" --set mpm.cell=-1
expect 3 check "$tiny" --variant nosuch
says nosuch

# One bad scene among good ones: all are checked.
expect 3 check "$here/bad.yaml" "$tiny"
shows "5 errors"
shows "0 errors"

expect 0 check "$tiny"
shows particles
shows memory
shows disk
expect 0 check snowball-drop --variant paper
expect 0 check "$tiny" --json --threads 3
same "$(value out.txt threads)" 3 "threads in the estimate"

# Snow that cannot be filled: run and check say the same, at the same line.
cat >empty.yaml <<'YAML'
firn: 1
mpm: {cell: 0.02}
snow:
  - {shape: {box: {size: [0.1, 0.1, 0.1]}}}
  - {shape: {difference: [{sphere: {radius: 0.05}}, {sphere: {radius: 0.06}}]}}
  - shape: {box: {size: [0.1, 0.1, 0.1]}}
    material: icy
    vary: {hardening: {noise: {scale: 0.05, amount: 10}}}
YAML
for solver in mpm sph grains ballistic; do
    expect 3 check empty.yaml --solver $solver
    says "empty.yaml:5:"
    expect 3 run empty.yaml -o empty --solver $solver
    says "empty.yaml:5:"
    absent empty
done
expect 3 check empty.yaml
says "too extreme"

# Particles of sph are on a lattice: a box whose faces lie on no multiples of the spacing has a
# layer too many or too few, and another mass. 6 x 11 x 6 of 36 mm instead of 0.016 m^3: 15.5 %.
cat >lattice.yaml <<'YAML'
firn: 1
solver: sph
time: {frames: 1, fps: 50}
sph: {spacing: 0.036}
snow: [{shape: {box: {center: [0, 0.2, 0], size: [0.2, 0.4, 0.2]}}}]
colliders: [{shape: {plane: {}}}]
YAML
expect 0 check lattice.yaml
says "15.5 % too heavy: let its faces lie on multiples of the spacing"
expect 0 check lattice.yaml --set sph.spacing=0.045
says "too light"
expect 0 check lattice.yaml --set sph.spacing=0.02
silent
expect 0 check lattice.yaml --solver mpm --set mpm.cell=0.036
silent

# A file that is there but cannot be examined is not called missing.
ln -s loop.yaml loop.yaml
expect 3 check loop.yaml
says "symbolic links"

exit 0
