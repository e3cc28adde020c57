#!/usr/bin/env bash
# Compiles every header alone, as C (all of them), as C++: the public ones, and those that C and
# CUDA share (STYLE.md section 9), or as CUDA: the shared ones, by the nvcc of $NVCC, of the PATH or
# of its usual place; skipped where there is none. A header that leans on what another one included
# first fails here. C++14 is the oldest that they need, and compiles faster than C++17.
# usage: headers.sh c|c++|cu        in the environment: FIRN_SOURCE_DIR, FIRN_BUILD_DIR
set -euo pipefail
language=$1
scratch=$PWD
cd "$FIRN_SOURCE_DIR"

if [ "$language" = cu ]; then
    nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
    [ -x "$nvcc" ] || { echo "no nvcc: headers are not compiled as CUDA"; exit 77; }
    export compile="$nvcc -fmad=false -arch=sm_90 -I include -I src -Werror all-warnings -ptx"
    headers=$(
        find src/math src/physics -name '*.h'
        find src/solver/mpm -name 'step*.h'
        find src/geometry -name '*.h' -exec grep -q FIRN_FN {} \; -print
        find src/device src/geometry src/solver -name '*_cuda.h' -o -name '*.cuh'
    )
    export scratch
    # nvcc looks closely only at functions that a kernel uses: this one takes the address of each.
    check() {
        local name=${1#src/}
        local file=$scratch/${name//\//_}.cu
        {
            printf '#include "%s"\n' "$name"
            echo 'extern "C" __global__ void use(const void** out)'
            echo '{'
            local pattern='^FIRN_(LANES_)?(FN|FN_APART|APART) .*\b(firn_[a-z0-9_]+)\(.*'
            sed -nE "s/$pattern/    *out++ = (const void*)\\3;/p" "$1"
            echo '}'
        } >"$file"
        local std=c++14
        [[ $1 = *.h ]] || std=c++17  # CUB's
        $compile -std=$std -o "$file.ptx" "$file" || { echo "FAILED: $1"; return 1; }
    }
    export -f check
    headers=$(printf '%s\n' $headers | sort -u)
    xargs -P 2 -n 1 bash -c 'check "$0"' <<<"$headers"
    echo "$(wc -w <<<"$headers") headers compile alone as CUDA"
    exit
fi
if [ "$language" = c ]; then
    export compile="${CC:-cc} -std=gnu17 -Wpedantic -Wmissing-prototypes"
    # The build has compiled a header alone where a file includes it before anything else.
    first=$(sed -nE 's|^ *"file": "(.*\.c)".*|\1|p' "$FIRN_BUILD_DIR/compile_commands.json" |
        sort -u |
        xargs grep -hm 1 '^ *# *include' | sed -nE 's|.*"(.*)".*|\1|p' | sort -u)
    headers=$(find include/firn src -name '*.h' | sed -E 's|^(include\|src)/||' | sort |
        comm -23 - <(echo "$first"))
else
    # Not pedantic: vector literals of gcc and clang are welcome where C++ has none.
    export compile="${CXX:-c++} -std=gnu++14"
    headers=$(
        find include/firn src/math src/physics -name '*.h'
        find src/solver -name 'step*.h'
    )
fi
export compile="$compile -x $language -fsyntax-only -Wall -Wextra -Wshadow -Werror -fopenmp-simd \
    -I include -I src $(pkg-config --cflags libfyaml hdf5-serial libpng libxxhash OpenEXR)"

# A static function that nobody calls is what a header of inline functions is made of.
check() {
    local name=${1#include/}
    printf '#include "%s"\ntypedef int not_empty;\n' "${name#src/}" |
        $compile -Wno-unused-function - ||
        { echo "FAILED: $1"; return 1; }
}
export -f check
printf '%s\n' $headers | sort | xargs -P 2 -n 1 bash -c 'check "$0"'
if [ "$language" = c ]; then
    # Programs may be older than C11, which allows a typedef to be repeated.
    for standard in gnu99 c99 gnu17; do
        (cd include && printf '#include "%s"\n' firn/*.h firn/*.h) |
            ${CC:-cc} -std=$standard -x c -fsyntax-only -Wall -Wextra -Wpedantic -Werror \
                -Wno-unused-function -I include - ||
            { echo "FAILED: the public headers together as $standard"; exit 1; }
    done
    # What FIRN_API becomes for a program on Windows, for the library there, and without a library.
    api_is() {
        local said
        said=$(printf '#include "firn/export.h"\nFIRN_API' |
            ${CC:-cc} -E -P -I include "${@:2}" - | tr -d ' \n')
        [ "$said" = "$1" ] || { echo "FAILED: FIRN_API with ${*:2} is '$said'"; exit 1; }
    }
    api_is '__declspec(dllimport)' -D_WIN32
    api_is '__declspec(dllexport)' -D_WIN32 -DFIRN_BUILDING
    api_is '' -D_WIN32 -DFIRN_STATIC
fi
echo "$(wc -w <<<"$headers") headers compile alone as $language"
