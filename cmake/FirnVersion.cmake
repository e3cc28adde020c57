# FIRN_VERSION: "0.2.0", from include/firn/version.h, the only place where it is written, and
# FIRN_SOVERSION, the part of it that a program depends on: "0.2" while the major version is 0.
set(version_header ${CMAKE_CURRENT_LIST_DIR}/../include/firn/version.h)
file(STRINGS ${version_header} version_lines REGEX "define FIRN_VERSION_(MAJOR|MINOR|PATCH) [0-9]")
string(REGEX MATCHALL "[0-9]+" version_numbers "${version_lines}")
list(JOIN version_numbers "." FIRN_VERSION)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
string(REGEX REPLACE "^(0\\.[0-9]+|[0-9]+)\\..*" "\\1" FIRN_SOVERSION ${FIRN_VERSION})
