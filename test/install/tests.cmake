# Installs to a scratch folder, moves it, and builds a stranger's program against it. A sanitized
# library is not for strangers: their programs would have to be sanitized too.
if(NOT FIRN_SANITIZE)
    firn_script_test(install install.sh LABEL cli)
    firn_script_test(recipe recipe.sh LABEL cli)
endif()
# What the loader does with everything that is built.
firn_script_test(binaries binaries.sh LABEL cli)
firn_script_test(symbols symbols.sh LABEL cli ARGUMENTS $<TARGET_FILE:firn>)
# Programs on the core and on the whole library, then the core built alone.
if(TARGET firn_core)
    foreach(kind IN ITEMS firn core core_static)
        add_executable(core_program_${kind} ${CMAKE_CURRENT_LIST_DIR}/core/core_program.c)
        target_link_libraries(core_program_${kind} PRIVATE firn_flags firn::${kind})
    endforeach()
    firn_script_test(core core.sh LABEL cli TIMEOUT 900 ARGUMENTS $<TARGET_FILE:core_program_firn>
        $<TARGET_FILE:core_program_core> $<TARGET_FILE:core_program_core_static>
        $<TARGET_FILE:firn_core>)
    firn_script_test(core_symbols symbols.sh LABEL cli ARGUMENTS $<TARGET_FILE:firn_core>
        ${FIRN_CORE_HEADERS})
endif()
