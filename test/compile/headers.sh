#!/usr/bin/env bash
# Compiles every header alone, as C (all of them) or as C++: the public ones, and those that C and
# CUDA share (STYLE.md section 9). A header that leans on what another one included first fails here.
# usage: headers.sh c|c++        in the environment: FIRN_SOURCE_DIR
set -euo pipefail
language=$1
cd "$FIRN_SOURCE_DIR"

if [ "$language" = c ]; then
    export compile="${CC:-cc} -std=gnu17 -Wpedantic -Wmissing-prototypes"
    headers=$(find include/firn src -name '*.h')
else
    # Not pedantic: vector literals of gcc and clang are welcome where C++ has none.
    export compile="${CXX:-c++} -std=gnu++17"
    headers=$(
        find include/firn src/math src/physics -name '*.h'
        find src/solver -name 'step*.h'
    )
fi
export compile="$compile -x $language -fsyntax-only -Wall -Wextra -Wshadow -Werror -fopenmp \
    -I include -I src $(pkg-config --cflags libfyaml hdf5-serial libpng libxxhash OpenEXR)"

# A static function that nobody calls is what a header of inline functions is made of.
check() {
    local name=${1#include/}
    printf '#include "%s"\ntypedef int not_empty;\n' "${name#src/}" | $compile -Wno-unused-function - ||
        { echo "FAILED: $1"; return 1; }
}
export -f check
printf '%s\n' $headers | sort | xargs -P 2 -n 1 bash -c 'check "$0"'
echo "$(wc -w <<<"$headers") headers compile alone as $language"
