#!/usr/bin/env bash
# Programs and libraries of the build tree: dynamic sections without a way in, and a folder full of
# libraries with the names of firn's own is not searched when firn is started in it.
set -euo pipefail
"$FIRN_SOURCE_DIR/tools/check_binaries.py" "$FIRN_BUILD_DIR/bin" "$FIRN_BUILD_DIR/lib"

mkdir planted && cd planted
cat >planted.c <<'SOURCE'
#include <unistd.h>
__attribute__((constructor)) static void planted(void)
{
    static const char said[] = "code from the current folder was run\n";
    if (write(2, said, sizeof said - 1) < 0) _exit(98);
    _exit(99);
}
SOURCE
cc -shared -fPIC -o planted.so planted.c
# The C and C++ libraries are left out: firn would not even start to look for others with these.
readelf -W -d "$FIRN" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -vE '^(lib(c|m|gcc_s|stdc\+\+)\.|ld-linux)' |
    while read -r library; do cp planted.so "$library"; done
[ -e libfyaml.so.0 ] ||
    { echo "firn does not load libfyaml.so.0: name another library here"; exit 1; }
"$FIRN" version | head -n 1
# The check itself: a library with an empty entry in its search path is refused.
cc -shared -fPIC -Wl,-rpath,/usr/lib: -o bad.so planted.c
if "$FIRN_SOURCE_DIR/tools/check_binaries.py" --foreign bad.so >said; then
    echo "check_binaries accepts an empty entry in a search path" && exit 1
fi
grep -q "has the entry ''" said
