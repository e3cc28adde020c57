# Snow between plates: modulus and strength of its material where they hold it, at three densities,
# and where they only touch it. Under the contact of the paper it yields where its weights say.
. "$(dirname "$0")/expect.sh"
"$FIRN" verify crush --json -q --threads 1 -o runs >out.txt 2>err.txt </dev/null
"$python" - <<'PY' || fail "a value lies outside its tolerance"
import json
rows = [json.loads(line) for line in open("out.txt")]
assert len(rows) == 13 and all(row["holds"] for row in rows), rows
PY
