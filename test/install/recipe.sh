#!/usr/bin/env bash
# The commands of docs/api.md, "Building against it", as they are written there. The tree is built
# already: its build folder is build/release here, and cmake does not build it again.
set -euo pipefail
export HOME=$PWD/home
mkdir -p home build
ln -s "$FIRN_BUILD_DIR" build/release
cp "$FIRN_SOURCE_DIR/test/install/outside.c" mine.c
unset FIRN_SCENE_PATH

awk '/^## Building against it/ { section = 1 } section && /^```$/ { exit }
     block { print } section && /^```sh$/ { block = 1 }' "$FIRN_SOURCE_DIR/docs/api.md" >recipe
[ "$(grep -c . recipe)" -ge 5 ] || { echo "docs/api.md has no recipe"; exit 1; }
cmake() {
    case $1 in
    --preset | --build) ;;
    *) command cmake "$@" ;;
    esac
}
. ./recipe >said
tail -n 1 said | grep -q '^firn [0-9]' || { tail said; exit 1; }
