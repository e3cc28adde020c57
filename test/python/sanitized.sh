#!/usr/bin/env bash
# The extension module compiled with address and undefined-behaviour sanitizers, on the library of the
# build: all tests of the package but that of the wheel. The interpreter is Debian's, so that leaks are
# not reported; blocks of Python come from malloc, which the sanitizer watches.
set -euo pipefail
compiler=${CC:-gcc}
address=$("$compiler" -print-file-name=libasan.so)
undefined=$("$compiler" -print-file-name=libubsan.so)
[ -f "$address" ] && [ -f "$undefined" ] || { echo "skipped: no sanitizers of $compiler"; exit 77; }
mkdir -p package/firn
cp "$FIRN_SOURCE_DIR"/python/firn/*.py package/firn
"$compiler" -shared -fPIC -std=gnu17 -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined \
    -fno-sanitize-recover=all -I "$FIRN_SOURCE_DIR/include" -I "$1" "$FIRN_SOURCE_DIR"/python/src/*.c \
    -o package/firn/_firn.abi3.so -L "$FIRN_BUILD_DIR/lib" -lfirn -Wl,-rpath,"$FIRN_BUILD_DIR/lib"
# OpenVDB's C++ does not tell the sanitizer how full its vectors are
LD_PRELOAD="$address $undefined" ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0 \
    PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPATH=$PWD/package:$FIRN_SOURCE_DIR/test/python \
    /usr/bin/python3 -m unittest -q test_scenes test_fields test_simulation test_runs test_manners \
    test_device
