# .vdb files that are forged or damaged: refused with file and reason, and without the memory that
# they ask for, whether they are used as level set, texture or wind.
. "$(dirname "$0")/expect.sh"
"$FIRN" version | grep -q '^features .*vdb' || exit 0
PYTHONDONTWRITEBYTECODE=1 "$python" "$here/vdb_files.py" "$FIRN" || fail "see above"
exit 0
