#!/usr/bin/env bash
# The add-on as users get it: the zip is installed into a Blender without a window, where objects
# are written, baked, played, rendered. Skipped where Blender is missing (tools/packages-blender).
set -euo pipefail
command -v blender >/dev/null || {
    echo "skipped: Blender is not installed (tools/packages-blender)"
    exit 77
}
export BLENDER_USER_CONFIG=$PWD/user/config BLENDER_USER_SCRIPTS=$PWD/user/scripts
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$BLENDER_USER_CONFIG" "$BLENDER_USER_SCRIPTS/addons"
zip=$("$FIRN_SOURCE_DIR/tools/blender-addon" -o "$PWD")
cat >install.py <<PY
import bpy
bpy.ops.preferences.addon_install(filepath="$zip")
bpy.ops.preferences.addon_enable(module="firn_blender")
bpy.ops.wm.save_userpref()
PY
timeout 60 blender -b --python-exit-code 1 --python install.py >install.log 2>&1 ||
    { tail -n 20 install.log; exit 1; }
timeout 900 blender -b --python-exit-code 1 \
    --python "$FIRN_SOURCE_DIR/test/blender/in_blender.py" -- "$@" >blender.log 2>&1 ||
    { tail -n 60 blender.log; exit 1; }
grep '^Ran ' blender.log
[ $# -eq 0 ] || exit 0
# The example of docs/blender-walk.md, coarse and short.
timeout 300 blender -b --addons firn_blender --python-exit-code 1 \
    --python "$FIRN_SOURCE_DIR/integrations/blender/examples/walk.py" -- walk 0.06 4 \
    >walk.log 2>&1 || { tail -n 20 walk.log; exit 1; }
for file in walk.blend firn/walk/meshes/Figure.pc2 firn/walk/run/mesh/walk.0003.ply; do
    [ -s "walk/$file" ] || { echo "walk/$file is missing" && tail -n 20 walk.log; exit 1; }
done
