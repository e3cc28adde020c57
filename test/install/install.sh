#!/usr/bin/env bash
# `cmake --install`, then: the binary runs and finds its scenes; a program outside builds through
# find_package and through pkg-config. The prefix is moved after installing, because packages are.
set -euo pipefail
header=$FIRN_SOURCE_DIR/include/firn/version.h
expected="firn $(sed -nE 's/.*VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' "$header" |
    paste -s -d .)"

cmake --install "$FIRN_BUILD_DIR" --prefix "$PWD/staging" >install.log
mv staging prefix
unset FIRN_SCENE_PATH
/usr/bin/env python3 "$FIRN_SOURCE_DIR/tools/check_binaries.py" prefix/bin prefix/lib*

says_version() {
    local said
    said=$("$@")
    [ "$said" = "$expected" ] || { echo "$1 says '$said', not '$expected'"; exit 1; }
}

cmake -G Ninja -S "$FIRN_SOURCE_DIR/test/install" -B with_cmake \
    -D CMAKE_PREFIX_PATH="$PWD/prefix" >cmake.log
cmake --build with_cmake >>cmake.log
says_version with_cmake/outside

# eval: pkg-config escapes spaces in paths for a shell.
library=$(cd prefix && dirname "$(find lib* -name "libfirn*.so" | head -n 1)")
export PKG_CONFIG_PATH=$PWD/prefix/$library/pkgconfig
eval "cc -o with_pkg_config '$FIRN_SOURCE_DIR/test/install/outside.c' \
    $(pkg-config --cflags --libs firn)"
LD_LIBRARY_PATH=$PWD/prefix/$library says_version ./with_pkg_config

prefix/bin/firn version | head -n 1
prefix/bin/firn scenes | grep -q snowball-drop ||
    { echo "the installed firn does not find its scenes"; exit 1; }
[ -f prefix/share/firn/scenes/LIST ]
