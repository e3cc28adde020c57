#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# WebAssembly computes what this machine does: compares state hashes of grains, mpm and sph in node
# with those of `--simd baseline`, and tries bad scenes and numbers. Uses the page of
# $FIRN_WEB_PAGE, which may have 1.2 MB compressed, or builds one without threads: that one 0.65.
. "$FIRN_SOURCE_DIR/test/web/prepare.sh"
tool=$FIRN_SOURCE_DIR/tools/web
page=${FIRN_WEB_PAGE:-}
limit=1200000
if [[ -z $page ]]; then
    command -v emcc >/dev/null || skip "emcc is not installed: ./firn test --web installs it"
    build=$FIRN_BUILD_DIR/web
    page=$FIRN_BUILD_DIR/page
    limit=650000
    if ! "$tool" -o "$page" --build "$build" --simd-only >log 2>&1; then
        cat log
        # Without a network there are no sources of libfyaml.
        [[ -e $build/libfyaml ]] || skip "the sources of libfyaml could not be fetched"
        exit 1
    fi
fi
cp -r "$page" copy
echo '{"type": "module"}' >copy/package.json  # how node takes its scripts
/usr/bin/python3 "$FIRN_SOURCE_DIR/test/web/compare_hashes.py" "$FIRN" "$PWD/copy"
node "$FIRN_SOURCE_DIR/test/web/refusals.mjs" "$PWD/copy"
bytes=$("$tool" --sizes "$page" | tail -1 | awk '{print $2}')
echo "$bytes bytes compressed"
((bytes < limit))
