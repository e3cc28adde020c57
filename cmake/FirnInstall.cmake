# cmake --install: binary, libraries, headers, scenes, CMake package and pkg-config files. The core
# is a component of its own: cmake --install build/release --component core.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/firn)
list(TRANSFORM FIRN_CORE_HEADERS PREPEND include/firn/ OUTPUT_VARIABLE core_headers)
if(TARGET firn_core)
    install(TARGETS firn_core firn_core_static EXPORT firnCoreTargets
        LIBRARY COMPONENT core ARCHIVE COMPONENT core)
    install(EXPORT firnCoreTargets NAMESPACE firn:: DESTINATION ${package_dir} COMPONENT core)
endif()
install(FILES ${core_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/firn COMPONENT core)
if(NOT FIRN_CORE)
    install(TARGETS firn EXPORT firnTargets)
    install(TARGETS firn_cli)
    install(FILES include/firn/run.h include/firn/tools.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/firn)
    install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/firn)
    install(EXPORT firnTargets NAMESPACE firn:: DESTINATION ${package_dir})
endif()

configure_package_config_file(cmake/firnConfig.cmake.in ${CMAKE_BINARY_DIR}/firnConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/firnConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/firnConfig.cmake ${CMAKE_BINARY_DIR}/firnConfigVersion.cmake
    DESTINATION ${package_dir} COMPONENT core)

# Paths in firn.pc are relative to the file (pkg-config's pcfiledir), so that a prefix can be moved.
file(RELATIVE_PATH FIRN_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" FIRN_PC_TO_PREFIX "${FIRN_PC_TO_PREFIX}")
set(FIRN_PC_DEFINITIONS "")
if(FIRN_DOUBLE)
    set(FIRN_PC_DEFINITIONS " -DFIRN_DOUBLE")
endif()
set(FIRN_PC_PRIVATE "-lm -pthread")
if(FIRN_CORE_YAML)
    string(APPEND FIRN_PC_PRIVATE " -lfyaml")
endif()
if(FIRN_CORE AND FIRN_HAVE_CUDA)
    string(APPEND FIRN_PC_PRIVATE
        " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lstdc++ -ldl -lrt")
endif()
if(FIRN_MPI)
    list(JOIN MPI_C_LIBRARIES " " mpi)
    string(APPEND FIRN_PC_PRIVATE " ${mpi}")
endif()
if(NOT FIRN_CORE)
    configure_file(cmake/firn.pc.in ${CMAKE_BINARY_DIR}/firn.pc @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/firn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
configure_file(cmake/firn-core.pc.in ${CMAKE_BINARY_DIR}/firn-core.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/firn-core.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT core)
