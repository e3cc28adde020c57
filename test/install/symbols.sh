#!/usr/bin/env bash
# A library exports what its headers declare with FIRN_API, and nothing else; its soname has the
# version that programs depend on, and its name the precision.
# usage: symbols.sh LIBRARY [HEADER …]      headers of include/firn; default: all
set -euo pipefail
library=$1
shift
[ $# -gt 0 ] || set -- $(cd "$FIRN_SOURCE_DIR/include/firn" && ls -- *.h)

version() { sed -n "s/#define FIRN_VERSION_$1 //p" "$FIRN_SOURCE_DIR/include/firn/version.h"; }
soname=$(readelf -W -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
needed=$(version MAJOR)
[ "$needed" != 0 ] || needed=0.$(version MINOR)
double=
! grep -q '^FIRN_DOUBLE:BOOL=ON' "$FIRN_BUILD_DIR/CMakeCache.txt" || double=-double
case $soname in
libfirn$double.so.$needed | libfirn-core$double.so.$needed) ;;
*)
    echo "the soname of $library is '$soname'"
    exit 1
    ;;
esac

nm -D --defined-only "$library" | awk '{ print $NF }' | sort >exported
# The preprocessor says what FIRN_API comes to, whatever a declaration looks like.
core=
[[ $soname != libfirn-core* ]] || core=-DFIRN_CORE
printf '#include "firn/%s"\n' "$@" | cc -E -P $core -I "$FIRN_SOURCE_DIR/include" - | tr '\n' ' ' |
    grep -oE '__attribute__ *\(\(visibility\("default"\)\)\)[^;(]*\(' |
    grep -oE '[a-zA-Z0-9_]+\($' | tr -d '(' | sort -u >declared
if ! diff declared exported >difference; then
    echo "$library: lines with > are exported, but no header declares them:"
    head -n 40 difference
    exit 1
fi
echo "$library exports the $(wc -l <exported) functions of $# headers"
