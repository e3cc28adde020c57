# firn_limit_symbols(<target> <header> …): the shared library exports the FIRN_API functions of these
# headers of include/firn and nothing else, by a version script that is written at build time.
function(firn_limit_symbols target)
    list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/include/firn/ OUTPUT_VARIABLE headers)
    set(map ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
    add_custom_command(OUTPUT ${map}
        COMMAND ${CMAKE_COMMAND} -D "HEADERS=${headers}" -D OUTPUT=${map}
            -P ${CMAKE_SOURCE_DIR}/cmake/symbol_map.cmake
        DEPENDS ${headers} ${CMAKE_SOURCE_DIR}/cmake/symbol_map.cmake
        COMMENT "Listing the symbols of ${target}" VERBATIM)
    target_sources(${target} PRIVATE ${map})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
    target_link_options(${target} PRIVATE LINKER:--version-script=${map})
endfunction()
