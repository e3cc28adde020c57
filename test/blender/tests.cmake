# The Blender add-on: its part without Blender, and all of it inside Blender, where that is
# installed (tools/packages-blender); half a minute, too long for the default run.
firn_command_test(blender_core LABEL cli COMMAND ${CMAKE_COMMAND} -E env
    PYTHONPATH=${CMAKE_SOURCE_DIR}/integrations/blender:${CMAKE_SOURCE_DIR}/test/blender
    PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE} -W error -m unittest -q test_core)
firn_script_test(blender_addon addon.sh LABEL cli slow)
