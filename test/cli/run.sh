# A small scene from end to end: files, JSON lines, overrides, variants, and no work lost.
. "$(dirname "$0")/expect.sh"

expect 0 run "$tiny" --json
absent nothing
same "$(value out.txt frame_end start)" 4 "frames of the scene"
same "$(value out.txt frame frame)" 4 "last frame"
same "$(value out.txt result end)" ok "result"
same "$("$python" -c 'import json
rows = [json.loads(l) for l in open("out.txt")]
print(*(r["frame"] for r in rows if r["event"] == "frame"))')" "0 1 2 3 4" "frame events"
particles=$(value out.txt particles start)
[ "$particles" -gt 100 ] || fail "only $particles particles"
hash=$(value out.txt state_hash end)
run=runs/tiny
is_there $run/manifest.json
is_there $run/stats.csv
same "$(find $run -name '*.hdf' | grep -vc checkpoint)" 5 "frames on disk"
same "$(find $run/preview -name '*.png' | wc -l)" 5 "pictures on disk"
is_there $run/tiny.sheet.png
if command -v ffmpeg >/dev/null; then
    is_there "$(find $run -name '*.mp4')"
    same "$(value out.txt film end)" "$(find $run -name '*.mp4')" "film"
fi
same "$(find $run -name '*.tmp*' | wc -l)" 0 "temporary files left"
same "$(state_hash $run)" "$hash" "state hash of the checkpoint"
expect 0 info $run --verify
shows complete
expect 0 info "$(find $run -name '*.hdf' | sort | head -n 1)"
[ -s out.txt ] || fail "firn info FILE says nothing"

# Never lose work.
before=$(find $run -type f -exec sha256sum {} + | sort)
expect 2 run "$tiny"
says "--resume"
says "--overwrite"
same "$(find $run -type f -exec sha256sum {} + | sort)" "$before" "the run after a refusal"
expect 0 run "$tiny" --overwrite
says "$run"
same "$(state_hash $run)" "$hash" "the same run again"

# A complete run can be made longer.
expect 0 run "$tiny" --resume --frames 6 -q
same "$("$FIRN" info $run --json |
    "$python" -c 'import json,sys; print(json.load(sys.stdin)["frame_last"])')" \
    6 "last frame after resuming"
expect 0 run "$tiny" --frames 6 -o straight -q
same "$(state_hash $run)" "$(state_hash straight)" "4 + 2 frames and 6 frames"

# Another scene does not continue it, and does no harm.
before=$(find $run -type f -exec sha256sum {} + | sort)
expect 3 run "$tiny" --resume --set gravity=[0,-1,0]
! grep -qE "^stopped|^  (film|cache) " err.txt || fail "$stage: the files of another run are listed"
says "another scene"
same "$(find $run -type f -exec sha256sum {} + | sort)" "$before" "the run after another scene"

# --set, --variant, --solver, --simd, short runs.
expect 0 run "$tiny" --set mpm.cell=0.03 --set time.frames=1 -o coarse --json
[ "$(value out.txt particles start)" -lt "$particles" ] || fail "--set mpm.cell did nothing"
same "$(value out.txt frame_end start)" 1 "--set time.frames"
expect 0 run "$tiny" --variant heavy --frames 0:1 --json
same "$(value out.txt folder start)" "runs/tiny-heavy" "folder of a variant"
[ "$(state_hash runs/tiny-heavy)" != "$hash" ] || fail "the variant changed nothing"
expect 0 run "$tiny" --solver ballistic --frames 1 -o ballistic --json
same "$(value out.txt solver start)" ballistic "--solver"
expect 0 run "$tiny" --simd baseline --frames 1 -o baseline --json
same "$(value out.txt simd start)" baseline "--simd"
expect 0 run "$tiny" --simd plain --frames 1 -o plain --json
same "$(value out.txt simd start)" plain "--simd plain"
expect 0 run "$tiny" --simd baseline --resume --frames 2 -o plain --json  # another level goes on
same "$(value out.txt simd start)" baseline "--simd after --resume"
expect 0 run "$tiny" --solver ballistic --simd plain --frames 1 -o ballistic_plain -q

# A cap on memory is respected, and nothing is left behind that looks like a run.
expect 6 run "$tiny" --memory 10K -o capped
says memory
expect 0 run "$tiny" --memory 2G -o capped --frames 1 -q
exit 0
