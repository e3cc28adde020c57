# Heaps of three solvers: all rows hold but that for the rest of mpm's low column, which creeps (the
# README of the scene says how fast): no verdict on that one.
. "$(dirname "$0")/expect.sh"
"$FIRN" verify repose --json -q --threads 1 -o runs >out.txt 2>err.txt </dev/null
"$python" - <<'PY' || fail "a heap is too flat or too steep, or it is not at rest"
import json
rows = [json.loads(line) for line in open("out.txt")]
fails = [row for row in rows if not row["holds"]]
print(fails)
assert len(rows) == 24, len(rows)
assert all((row["variant"], row["solver"], row["quantity"]) == ("low", "mpm", "change(slope)")
           for row in fails), fails
PY
