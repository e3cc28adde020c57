# The tables of docs/validation.md and the manual have the rows of expected.csv and compare.csv, and
# the tool that writes them notices when they do not.
. "$(dirname "$0")/expect.sh"
tool=$FIRN_SOURCE_DIR/tools/validation-tables
"$python" "$tool" --firn "$FIRN" --check >out.txt 2>err.txt ||
    fail "run tools/validation-tables NAME for new scenes, or with --list"

# A copy of the documents with other rows: one reference is changed, one scene is new.
mkdir -p copy/docs copy/tools copy/scenes
cp "$FIRN_SOURCE_DIR"/docs/{validation,manual}.md copy/docs
cp "$tool" copy/tools
sed -i '/^| fall /s/1\.676 kg/1.7 kg/' copy/docs/validation.md
"$python" copy/tools/validation-tables --firn "$FIRN" --check >out.txt 2>err.txt &&
    fail "an old table"
shows "docs/validation.md: its table is old"
shows "fall | mpm"

# Running one scene fills its rows and keeps the values of others.
mkdir -p mine/validation/drop
cat >mine/validation/drop/scene.yaml <<'YAML'
firn: 1
time: {frames: 2, fps: 100}
mpm: {cell: 0.05}
snow: [{shape: {sphere: {center: [0, 1, 0], radius: 0.1}}}]
YAML
printf '%s\n' 'variant,solver,quantity,from,to,reference,tolerance,unit,run,source' \
    'default,mpm,first(center_y),,,1,1%,m,quick,where it is put' \
    'default,mpm,last(center_y),,,1,1%,m,full,takes long' >mine/validation/drop/expected.csv
export FIRN_SCENE_PATH=$PWD/mine
"$python" copy/tools/validation-tables --firn "$FIRN" --runs runs drop 2>err.txt || fail "the tool"
table=copy/docs/validation.md
grep -qE '^\| drop \| mpm .* where it is put \| [01][.0-9]* \| holds \|$' $table || fail "a value"
grep -qE '^\| drop \| mpm .* takes long \| not run \|  ?\|$' $table || fail "a long run"
grep -q '| 1\.7 kg |' $table && fail "a row that no scene has"
"$python" copy/tools/validation-tables --firn "$FIRN" --runs runs --check || fail "the new table"
printf 'default,mpm,last(mass),,,1,1%%,kg,quick,new\n' >>mine/validation/drop/expected.csv
"$python" copy/tools/validation-tables --firn "$FIRN" --runs runs --list || fail "the list"
grep -qE '^\| drop \| mpm .* \| new \| not run \|' $table || fail "a new row"
grep -q 'where it is put | .* | holds' $table || fail "a value that stays"
exit 0
