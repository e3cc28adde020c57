#!/usr/bin/env bash
# Programs and libraries of the build tree: dynamic sections without a way in, and a folder full of
# libraries with the names of firn's own is not searched when firn is started in it.
set -euo pipefail
kind=
if [ -z "$FIRN_SANITIZE" ] &&
    grep -q '^CMAKE_BUILD_TYPE:.*=Release' "$FIRN_BUILD_DIR/CMakeCache.txt"; then
    kind=--release
fi
"$FIRN_SOURCE_DIR/tools/check_binaries.py" $kind "$FIRN_BUILD_DIR/bin" "$FIRN_BUILD_DIR/lib"

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
# A large one without any hardening has each fault of such a build; its flags are those of x86-64.
[ "$(uname -m)" = x86_64 ] || exit 0
{ echo 'const char large[1100000] = {1};' && cat planted.c; } >large.c
cc -shared -fPIC -O0 -U_FORTIFY_SOURCE -fno-stack-protector -fcf-protection=none -o large.so large.c
if "$FIRN_SOURCE_DIR/tools/check_binaries.py" --release large.so >said; then
    echo "check_binaries accepts a library without hardening" && exit 1
fi
for flag in fstack-protector-strong D_FORTIFY_SOURCE=2 fcf-protection=full; do
    grep -q -- "-$flag" said || { echo "check_binaries does not miss -$flag" && exit 1; }
done
