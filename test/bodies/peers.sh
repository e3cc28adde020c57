#!/usr/bin/env bash
# A stack of ten cubes with a mass ratio of 100 in ODE, MuJoCo and firn, side by side; firn must hold
# it to 1 % of an edge. Skipped where neither libode-dev nor libmujoco-dev is installed.
set -euo pipefail
here=$FIRN_SOURCE_DIR/test/bodies
peers=0
build() { cc -std=gnu17 -O2 -I "$here" "$here/$1.c" -o "$1" "${@:2}" -lm; }
if [ -e /usr/include/ode/ode.h ]; then
    build peer_ode -lode && ./peer_ode
    peers=1
fi
if [ -e /usr/include/mujoco/mujoco.h ]; then
    build peer_mujoco -lmujoco && ./peer_mujoco
    peers=1
fi
if [ $peers = 0 ]; then
    echo "no peers: install libode-dev or libmujoco-dev"
    exit 77
fi
double=
! grep -q '^FIRN_DOUBLE:BOOL=ON' "$FIRN_BUILD_DIR/CMakeCache.txt" || double=-double
build peer_firn ${double:+-DFIRN_DOUBLE} -I "$FIRN_SOURCE_DIR/include" -L "$FIRN_BUILD_DIR/lib" \
    "-lfirn$double" -Wl,-rpath,"$FIRN_BUILD_DIR/lib"
./peer_firn
