# Snow between plates that hold it: modulus and strength of its material, at three densities.
# Plates that only touch it are too weak (the README of the scene says why): no verdict on them.
. "$(dirname "$0")/expect.sh"
"$FIRN" verify crush --json -q --threads 1 -o runs >out.txt 2>err.txt </dev/null
"$python" - <<'PY' || fail "a value of snow that is held"
import json
rows = [json.loads(line) for line in open("out.txt")]
held = [row for row in rows if row["variant"] in ("", "light", "dense")]
assert len(held) == 6 and all(row["holds"] for row in held), held
PY
