# Figures of a run.
. "$(dirname "$0")/expect.sh"

expect 0 run "$tiny" -o run -q --frames 3 --set output.preview=false
expect 0 measure run
silent
shows "fragments"
same "$(wc -l <out.txt)" 5 "a head and four frames"
expect 0 measure run --frames 2
same "$(wc -l <out.txt)" 2 "a head and one frame"
expect 0 measure run --frames 1::2 --json
same "$(sed 's/.*"frame": *\([0-9]*\).*/\1/' out.txt | tr '\n' ' ')" "1 3 " "every second frame"

# CSV and JSON say the same, and what is true of a tiny ball: one fragment that falls.
expect 0 measure run --csv
silent
cp out.txt table.csv
expect 0 measure run --json
"$python" - table.csv out.txt <<'PY' || fail "figures"
import csv, json, sys
table = list(csv.DictReader(open(sys.argv[1])))
rows = [json.loads(line) for line in open(sys.argv[2])]
assert len(table) == len(rows) == 4
for a, b in zip(table, rows):
    assert list(a) == list(b)
    # both are printed with 9 digits
    known = [k for k in b if b[k] is not None]
    assert [k for k in a if a[k] != ""] == known and "mass" in known and "temperature" not in known
    assert all(abs(float(a[k]) - b[k]) <= 1e-8 * (1 + abs(b[k])) for k in known)
assert [r["frame"] for r in rows] == [0, 1, 2, 3]
assert all(abs(r["mass"] / rows[0]["mass"] - 1) < 1e-6 for r in rows)  # masses are floats
assert all(r["particles"] == rows[0]["particles"] for r in rows)
assert all(r["low_y"] < r["center_y"] < r["high_y"] for r in rows)
assert rows[0]["fragments"] >= 1 and rows[0]["largest"] > 0
assert rows[3]["center_y"] < rows[0]["center_y"]
PY

# Threads change nothing; a region and a threshold do.
cp out.txt all.json
expect 0 measure run --json --threads 1
cmp -s out.txt all.json || fail "one thread gives other figures"
expect 0 measure run --json --frames 0 --region=-100,-100,-100,100,100,100
cmp -s out.txt <(head -n 1 all.json) || fail "a region around everything changes figures"
expect 0 measure run --json --frames 0 --region=100,100,100,101,101,101
same "$(value out.txt particles)" 0 "particles far away"
same "$(value out.txt center_x)" None "centre of nothing"
expect 0 measure run --json --frames 0 --threshold 1e6
same "$(value out.txt fragments)" 0 "fragments of more than lead"
same "$(value out.txt dust)" 1 "share of dust"

expect 2 measure
expect 2 measure run --region 1,2,3
says "six numbers"
expect 2 measure run --region 1,2,3,4,5,x
says "six numbers"
expect 2 measure run --region 0,0,0,1,-1,1
says "along y"
expect 2 measure run --csv --json
says "choose one of"
expect 2 measure run --threshold 0
expect 3 measure run2
says run2
expect 3 measure run --frames 9
says "its last frame is 3"
first=$(find run -name '*.hdf' | sort | head -n 1)
printf 'x' | dd of="$first" bs=1 seek=3000 conv=notrunc status=none
expect 3 measure run
exit 0
