#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# WebAssembly computes what this machine does: builds the page without threads, then compares state
# hashes of grains, mpm and sph in node with those of `--simd baseline`, and what a bad scene is
# told.
set -euo pipefail
skip() {
    echo "skipped: $*"
    exit 77
}
command -v emcc >/dev/null || skip "emcc is not installed (tools/packages-web)"
command -v node >/dev/null || skip "node is not installed (tools/packages-web)"
[[ -z ${FIRN_SANITIZE:-} ]] || skip "the ordinary build tests the page"
build=$FIRN_BUILD_DIR/web
page=$FIRN_BUILD_DIR/page
if ! "$FIRN_SOURCE_DIR/tools/web" -o "$page" --build "$build" --simd-only >log 2>&1; then
    cat log
    # Without a network there are no sources of libfyaml.
    [[ -e $build/libfyaml ]] || skip "the sources of libfyaml could not be fetched"
    exit 1
fi
echo '{"type": "module"}' >"$page/package.json"  # how node takes its scripts
/usr/bin/python3 "$FIRN_SOURCE_DIR/test/web/compare_hashes.py" "$FIRN" "$page"
