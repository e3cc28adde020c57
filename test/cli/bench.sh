# firn bench prints every figure as a table and as JSON, for one thread and for several.
. "$(dirname "$0")/expect.sh"
small=(--particles 1000 --steps 1 --repeats 1 --threads 2)

expect 0 bench "${small[@]}" --json
silent
"$python" - <<'PY' || fail "rows of the bench"
import json
rows = [json.loads(line) for line in open("out.txt")]
names = ["explicit, early contact", "explicit, deforming", "semi-implicit"]
assert [(r["name"], r["threads"]) for r in rows] == [(n, t) for n in names for t in (1, 2)], rows
for r in rows:
    assert 500 < r["particles"] < 2000 and r["nodes"] % 64 == 0 and r["nodes"] > 0
    assert 0 <= r["yielding_share"] <= 1
    rate = r["particle_steps_per_second"]
    near = lambda a, b: abs(a / b - 1) < 1e-6  # sums and products of numbers with 9 digits
    assert rate > 0 and near(r["particle_steps_per_second_core"] * r["threads"], rate)
    assert near(r["seconds_per_step"] * rate, r["particles"])
    assert r["bytes_per_particle"] > 50 and r["peak_bytes"] > 50 * r["particles"]
    solves = r["name"] == "semi-implicit"
    assert (r["iterations_per_step"] > 0) == solves
    assert (r["particle_iterations_per_second_core"] > 0) == solves
    # the machine, the stages in its cycles, and the floors that it sets
    m, f = r["machine"], r["floor"]
    assert m == rows[0]["machine"] and m["simd"] and m["copy_threads"] == 2
    rates = ["clock_hz", "flops_per_second_core", "copy_bytes_per_second_one_thread",
             "copy_bytes_per_second"]
    assert all(m[k] > 0 for k in rates)
    seconds, ns = r["stage_seconds_per_step"], r["stage_core_nanoseconds_per_particle"]
    cycles = r["stage_core_cycles_per_particle"]
    assert "01_rasterize" in seconds and seconds.keys() == ns.keys() == cycles.keys()
    assert near(sum(seconds.values()), r["seconds_per_step"])
    assert near(sum(ns.values()), r["core_nanoseconds_per_particle"])
    assert near(r["core_nanoseconds_per_particle"], 1e9 / r["particle_steps_per_second_core"])
    assert near(sum(cycles.values()), r["core_cycles_per_particle"])
    assert near(r["core_cycles_per_particle"],
                1e-9 * r["core_nanoseconds_per_particle"] * m["clock_hz"])
    assert f["operations_per_particle_step"] > (30000 if solves else 3000)
    assert f["bytes_per_particle_step"] > (1000 if solves else 200)
    assert near(f["operations_seconds_per_step"] * m["flops_per_second_core"] * r["threads"],
                f["operations_per_particle_step"] * r["particles"])
    copy = m["copy_bytes_per_second" if r["threads"] > 1 else "copy_bytes_per_second_one_thread"]
    assert near(f["bytes_seconds_per_step"] * copy, f["bytes_per_particle_step"] * r["particles"])
PY
expect 0 bench "${small[@]}" -q
silent
shows "per core"
shows "06_solve"
shows "peak memory"
shows "cycles/particle"
shows "floor: operations"
shows "floor: bytes"
shows "GFLOP/s per core"

# The other solver: both solves' iterations, and nothing of the grid.
expect 0 bench --solver sph "${small[@]}" --json
silent
"$python" - <<'PY' || fail "rows of sph"
import json
rows = [json.loads(line) for line in open("out.txt")]
names = ("pressure", "elastic", "snow", "snow, 2 + 5")
assert [(r["name"], r["threads"]) for r in rows] == [(n, t) for n in names for t in (1, 2)], rows
for r in rows:
    near = lambda a, b: abs(a / b - 1) < 1e-6  # sums and products of numbers with 9 digits
    assert r["solver"] == "sph" and r["particles"] == 1000 and 18 < r["neighbours"] < 60
    assert near(r["particle_steps_per_second_core"] * r["threads"], r["particle_steps_per_second"])
    assert near(r["seconds_per_step"] * r["particle_steps_per_second"], r["particles"])
    assert near(sum(r["stage_seconds_per_step"].values()), r["seconds_per_step"])
    assert r["bytes_per_particle"] > 500 and r["machine"]["clock_hz"] > 0
    alone = r["name"] == "pressure"
    assert (r.get("left_out") == "06_shear") == alone == ("shear_iterations_per_step" not in r)
assert rows[0]["pressure_iterations_per_step"] == 5
assert rows[2]["pressure_iterations_per_step"] == rows[2]["shear_iterations_per_step"] == 2
assert (rows[6]["pressure_iterations_per_step"], rows[6]["shear_iterations_per_step"]) == (2, 5)
PY
expect 0 bench --solver sph "${small[@]}" -q
silent
shows "neighbours"
shows "05_pressure"
shows "excludes the time"
expect 2 bench --solver sph --scale
says "remove --solver sph"
expect 2 bench --solver pbd
says "mpm, sph and grains"

expect 0 bench --scale "${small[@]}" --json
silent
"$python" - <<'PY' || fail "rows of the scale"
import json
rows = [json.loads(line) for line in open("out.txt")]
assert [(r["balls"], r["threads"]) for r in rows] == [(1, 1), (100, 1), (1, 2), (100, 2)], rows
for r in rows:
    same = [o for o in rows if o["threads"] == r["threads"]]
    # 1e-6: quotients of numbers with 9 digits
    assert abs(r["core_nanoseconds_per_particle"] / same[0]["core_nanoseconds_per_particle"]
               / r["relative_to_reference"] - 1) < 1e-6
    alone = next(o for o in rows if o["threads"] == 1 and o["balls"] == r["balls"])
    assert abs(alone["seconds_per_step"] / r["seconds_per_step"] / r["speed_up"] - 1) < 1e-6
    assert abs(r["nodes"] / r["particles"] / r["nodes_per_particle"] - 1) < 1e-6
    fit = r["memory_fit"]
    assert fit["bytes_per_particle"] > 0 and fit["bytes_per_node"] > 0
PY
expect 0 bench --scale "${small[@]}" -q
silent
shows "active nodes"
shows "relative"
shows "speed-up"
shows "per active node"
expect 2 bench --scale --pictures
says "use one of them"
expect 2 bench --pictures --steps 1
says "use --steps 2"

# The machine, all solvers and the path tracer on one thread and several; or one of them.
expect 0 bench --threads-table "${small[@]}" --json
silent
"$python" - <<'PY' || fail "rows of the table of threads"
import json
rows = [json.loads(line) for line in open("out.txt")]
cases = [("machine", "arithmetic", "operations"),
         ("mpm", "explicit, early contact", "particle-steps"), ("mpm", "semi-implicit", "iterations"),
         ("sph", "pressure", "particle-steps"), ("sph", "snow", "particle-steps"),
         ("grains", "shapes on a block", "particle-steps"), ("path", "snowball", "paths")]
assert [(r["solver"], r["name"], r["unit"], r["threads"]) for r in rows] == [
    (*c, t) for c in cases for t in (1, 2)], rows
for k, r in enumerate(rows):
    alone = rows[k // 2 * 2]
    assert r["particles"] == alone["particles"]
    assert r["solver"] == "machine" or 500 < r["particles"] < 2000
    assert r["rate"] > 0
    # quotients of numbers with 9 digits
    assert abs(r["rate"] / alone["rate"] / r["threads"] / r["efficiency"] - 1) < 1e-6
    assert 0 <= r["waiting_share"] < 1
    if r["unit"] == "particle-steps":
        assert abs(r["rate"] * r["seconds_per_step"] / r["particles"] - 1) < 1e-6
    assert ("stage_seconds_per_step" in r) == (r["solver"] not in ("path", "machine"))
PY
expect 0 bench --threads-table --solver grains "${small[@]}" --threads 3 --json
"$python" - <<'PY' || fail "numbers of threads"
import json
assert [json.loads(line)["threads"] for line in open("out.txt")] == [1, 2, 3, 1, 2, 3]
PY
expect 0 bench --threads-table --solver grains "${small[@]}" -q
silent
shows "efficiency"
shows "waiting"
expect 2 bench --threads-table --solver sph --pictures
says "use one of them"
expect 2 bench --threads-table --backend cuda
says "remove --backend cuda"

# On a GPU; where there is none, the reason is the one that a run gives.
expect 2 bench --memory
says "--backend cuda"
expect 2 bench --scale --backend cuda
says "does not measure a GPU solver"
expect 7 bench --backend cdua
says "did you mean 'cuda'?"
if "$FIRN" version --json | grep -q '"devices":\[\]'; then
    expect 7 bench --backend cuda "${small[@]}"
    says "backend 'cuda'"
    expect 7 bench --solver sph --backend cuda "${small[@]}"
    says "backend 'cuda'"
    expect 7 bench --pictures --backend cuda --particles 1000 --steps 2 --repeats 1
    says "backend 'cuda'"
else
    expect 0 bench --solver sph --backend cuda --particles 20000 --repeats 1 --json
    "$python" - <<'PY' || fail "rows of sph on the GPU"
import json
rows = [json.loads(line) for line in open("out.txt")]
assert [r["name"] for r in rows] == ["pressure", "elastic", "snow", "snow, 2 + 5"]
for r in rows:
    assert r["backend"] == "cuda:0" and 15000 < r["particles"] < 25000
    assert r["device_bytes_per_particle"] > 500
PY
    expect 0 bench --backend cuda --particles 100000 --repeats 1 --json
    "$python" - <<'PY' || fail "rows of the GPU"
import json
rows = [json.loads(line) for line in open("out.txt")]
assert rows[0]["name"] == "explicit, early contact" and len(rows) == 5
for r in rows:
    assert r["backend"] == "cuda:0" and r["device"] and 90000 < r["particles"] < 110000
    # numbers with 9 digits
    assert abs(r["seconds_per_step"] * r["particle_steps_per_second"] / r["particles"] - 1) < 1e-6
    assert r["device_bytes_per_particle"] > 100
    assert (r["particle_iterations_per_second"] > 0) == (r["name"] == "semi-implicit")
PY
    expect 0 bench --backend cuda --particles 100000 --repeats 1
    shows "G steps/s"
    shows "whole step, wall clock"
fi

# Pictures of the window; where nothing can draw, the refusal says what is missing.
if "$FIRN" bench --drawing --particles 1000 --steps 1 --json > out.txt 2> err.txt; then
    "$python" - <<'PY' || fail "rows of the drawing"
import json
rows = [json.loads(line) for line in open("out.txt")]
assert len(rows) == 1 and rows[0]["particles"] == 1000 and rows[0]["driver"], rows
assert 0 < rows[0]["seconds_spheres"] < 60 and 0 < rows[0]["seconds_surface"] < 60
PY
else
    [ -s err.txt ] || fail "a refusal without a word"
fi
expect 2 bench --drawing --scale
says "use one of"
exit 0
