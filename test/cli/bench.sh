# firn bench prints every figure as a table and as JSON, for one thread and for several.
. "$(dirname "$0")/expect.sh"
small=(--particles 1000 --steps 1 --repeats 1 --threads 2)

expect 0 bench "${small[@]}" --json
silent
"$python" - <<'PY' || fail "rows of the bench"
import json
rows = [json.loads(line) for line in open("out.txt")]
assert [(r["name"], r["threads"]) for r in rows] == [
    ("explicit", 1), ("explicit", 2), ("semi-implicit", 1), ("semi-implicit", 2)], rows
for r in rows:
    assert 500 < r["particles"] < 2000
    rate = r["particle_steps_per_second"]
    assert rate > 0 and abs(r["particle_steps_per_second_core"] * r["threads"] / rate - 1) < 1e-6
    assert r["bytes_per_particle"] > 50 and r["peak_bytes"] > 50 * r["particles"]
    assert "01_rasterize" in r["stage_seconds_per_step"]
    solves = r["name"] == "semi-implicit"
    assert (r["iterations_per_step"] > 0) == solves
    assert (r["particle_iterations_per_second_core"] > 0) == solves
PY
expect 0 bench "${small[@]}" -q
silent
shows "per core"
shows "06_solve"
shows "peak memory"
exit 0
