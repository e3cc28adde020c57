# build_info.h: what `firn version` and benchmark records say about this build. It is refreshed on
# every build and rewritten only when it changed, so that a new commit recompiles one file.
set(FIRN_GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)
set(build_info_command ${CMAKE_COMMAND}
    -D SOURCE_DIR=${CMAKE_SOURCE_DIR}
    -D OUTPUT=${FIRN_GENERATED_DIR}/build_info.h
    -D "COMPILER=${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
    -D BUILD_TYPE=${CMAKE_BUILD_TYPE}
    -D DATA_DIR=${CMAKE_INSTALL_FULL_DATADIR}/firn
    -P ${CMAKE_CURRENT_LIST_DIR}/build_info_write.cmake)
execute_process(COMMAND ${build_info_command} COMMAND_ERROR_IS_FATAL ANY)
add_custom_target(firn_build_info COMMAND ${build_info_command} VERBATIM
    BYPRODUCTS ${FIRN_GENERATED_DIR}/build_info.h COMMENT "Asking git for the commit")
