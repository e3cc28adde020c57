# Allocations of firn and of its libraries fail, one at a time.
grep -qE "__(asan|tsan)_init" "$FIRN" && exit 77  # sanitizers have their own malloc
exec /usr/bin/python3 "$FIRN_SOURCE_DIR/test/faults/alloc.py" --most 6
