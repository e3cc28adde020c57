#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# WebAssembly computes what this machine does: builds the page without threads, then compares state
# hashes of grains, mpm and sph in node with those of `--simd baseline`, and tries bad scenes and
# numbers. The page with both modules may have 1.2 MB compressed: with one of them, 0.65.
. "$FIRN_SOURCE_DIR/test/web/prepare.sh"
command -v emcc >/dev/null || skip "emcc is not installed (tools/packages-web)"
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
node "$FIRN_SOURCE_DIR/test/web/refusals.mjs" "$page"
bytes=$(tail -1 log | awk '{print $2}')
echo "$bytes bytes compressed"
((bytes < 650000))
