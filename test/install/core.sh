#!/usr/bin/env bash
# libfirn-core: programs on the shared, the static and the whole library print the same hashes; it
# needs the C library alone and is small. Then it is built alone, as whoever embeds it does, and a
# program is built against what that installs, by CMake and by pkg-config.
# usage: core.sh PROGRAM_WHOLE PROGRAM_SHARED PROGRAM_STATIC LIBRARY
set -euo pipefail
"$1" >whole
"$2" >shared
"$3" >static
cat whole
cmp whole shared
cmp whole static

only_c() {
    local others
    others=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vE '^(libc|libm|libpthread|ld-linux.*)\.so\.[0-9]+$' || true)
    [ -z "$others" ] || { echo "$1 needs $others"; exit 1; }
}
small() {
    local bytes
    bytes=$(stat -L -c %s "$1")
    echo "$1: $bytes bytes"
    [ "$bytes" -lt 4000000 ] || { echo "the core is larger than 4 MB"; exit 1; }
}
only_c "$4"
small "$4"

# No optimisation: this is about what compiles and links.
cmake -G Ninja -S "$FIRN_SOURCE_DIR" -B alone -D FIRN_CORE=ON -D CMAKE_BUILD_TYPE=Debug \
    -D CMAKE_C_FLAGS_DEBUG=-O0 -D CMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON \
    -D FIRN_DOUBLE="$(sed -n 's/^FIRN_DOUBLE:BOOL=//p' "$FIRN_BUILD_DIR/CMakeCache.txt")" >log
cmake --build alone >>log || { tail -n 30 log; exit 1; }
ctest --test-dir alone --output-on-failure >>log || { tail -n 60 log; exit 1; }
cmake --install alone --prefix "$PWD/staging" >>log
mv staging prefix
[ ! -e prefix/include/firn/run.h ] || { echo "run.h is not of the core"; exit 1; }
library=$(cd prefix && dirname "$(find lib* -name 'libfirn-core*.a')")
only_c prefix/$library/libfirn-core*.so

cmake -G Ninja -S "$FIRN_SOURCE_DIR/test/install/core" -B with_cmake \
    -D CMAKE_PREFIX_PATH="$PWD/prefix" >>log
cmake --build with_cmake >>log
export PKG_CONFIG_PATH=$PWD/prefix/$library/pkgconfig
program=$FIRN_SOURCE_DIR/test/install/core/core_program.c
eval "cc -o shared_by_hand '$program' $(pkg-config --cflags --libs firn-core)"
# -Wl,-Bstatic takes the archive, then the C library is linked as usual.
eval "cc -o static_by_hand '$program' -Wl,-Bstatic $(pkg-config --cflags --libs firn-core) \
    -Wl,-Bdynamic $(pkg-config --static --libs-only-l firn-core | sed 's/-lfirn-core[a-z-]*//')"
eval "c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -o cxx_by_hand '${program}c' \
    $(pkg-config --cflags --libs firn-core)"
export LD_LIBRARY_PATH=$PWD/prefix/$library
for made in with_cmake/shared with_cmake/static ./shared_by_hand ./static_by_hand; do
    "$made" >said
    cmp said whole
done
./cxx_by_hand
