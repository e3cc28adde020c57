firn_test(scenes scene_library LABEL scenes)

# What the scenes' pictures must show, in numbers: each runs its scene to the end, minutes on two
# cores.
foreach(scene IN ITEMS avalanche-barrier car-snowing castle city-street compression
        density-comparison double-smash inclined-snowballs loose-and-dense oven rolling-snowball shovel
        siggraph single-particles snow-angel
        snowball-smash snowplow the-end tire walking-character wedge plow sphere-drop weights
        shapes settling-column melting submarine sled-race ice-machine
        snow-shed-roof)
    firn_command_test(measures_${scene} LABEL slow SERIAL
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/scene-measures
            --firn ${CMAKE_BINARY_DIR}/bin/firn --runs runs ${scene})
endforeach()

# The same of the scenes of grains as drafts, seconds each.
foreach(scene IN ITEMS plow sphere-drop weights shapes settling-column melting)
    firn_command_test(draft_${scene} LABEL scenes
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/scene-measures
            --firn ${CMAKE_BINARY_DIR}/bin/firn --runs runs_draft --draft ${scene})
endforeach()

# CPU against GPU; skipped without one. The CPU's share takes minutes on a machine with many cores.
firn_script_test(cuda_scenes cuda_scenes.sh LABEL backend slow SERIAL TIMEOUT 7200)
