# cmake --install: binary, shared library, headers, scenes, CMake package and pkg-config file.
include(CMakePackageConfigHelpers)
install(TARGETS firn EXPORT firnTargets)
install(TARGETS firn_cli)
install(DIRECTORY include/firn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/firn)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/firn)
install(EXPORT firnTargets NAMESPACE firn:: DESTINATION ${package_dir})
configure_package_config_file(cmake/firnConfig.cmake.in ${CMAKE_BINARY_DIR}/firnConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/firnConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/firnConfig.cmake ${CMAKE_BINARY_DIR}/firnConfigVersion.cmake
    DESTINATION ${package_dir})

# Paths in firn.pc are relative to the file (pkg-config's pcfiledir), so that a prefix can be moved.
file(RELATIVE_PATH FIRN_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" FIRN_PC_TO_PREFIX "${FIRN_PC_TO_PREFIX}")
set(FIRN_PC_DEFINITIONS "")
if(FIRN_DOUBLE)
    set(FIRN_PC_DEFINITIONS " -DFIRN_DOUBLE")
endif()
configure_file(cmake/firn.pc.in ${CMAKE_BINARY_DIR}/firn.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/firn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
