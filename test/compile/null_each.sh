#!/usr/bin/env bash
# Every public function, called from outside with valid arguments, with each of its pointers null
# and with ids that name nothing. null_each.py lists the calls from the headers.
set -euo pipefail
here=$FIRN_SOURCE_DIR/test/compile
double=
! grep -q '^FIRN_DOUBLE:BOOL=ON' "$FIRN_BUILD_DIR/CMakeCache.txt" || double=-double
/usr/bin/python3 "$here/null_each.py" "$FIRN_SOURCE_DIR/include" >cases.inc
cc -std=gnu17 -Wall -Wextra -Werror ${double:+-DFIRN_DOUBLE} -I . -I "$FIRN_SOURCE_DIR/include" \
    -o null_each "$here/null_each.c" -L "$FIRN_BUILD_DIR/lib" "-lfirn$double" \
    -Wl,-rpath,"$FIRN_BUILD_DIR/lib"
./null_each
