# Fuzz targets (fuzz.h) and their sources: for FirnFuzz.cmake and for the replay in the tests.
set(FIRN_FUZZ_NAMES
    scene obj ply stl points gltf pc2 png exr font manifest frame checkpoint state
    level_set texture wind)
set(FIRN_FUZZ_SOURCES "")
foreach(file IN ITEMS fuzz fuzz_mesh fuzz_motion fuzz_picture fuzz_scene fuzz_run fuzz_hdf5
        fuzz_checkpoint fuzz_state fuzz_vdb)
    list(APPEND FIRN_FUZZ_SOURCES ${CMAKE_CURRENT_LIST_DIR}/${file}.c)
endforeach()
