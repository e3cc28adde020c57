# libfyaml in WebAssembly: Debian has it for its own architectures only, so `tools/web` fetches
# Debian's source package, and this compiles it. PkgConfig::libfyaml is its name elsewhere.
set(FIRN_LIBFYAML_SOURCE "" CACHE PATH "Sources of libfyaml (tools/web fetches them)")
file(GLOB fyaml_sources ${FIRN_LIBFYAML_SOURCE}/src/lib/fy-*.c
    ${FIRN_LIBFYAML_SOURCE}/src/xxhash/xxhash.c)
if(NOT fyaml_sources)
    message(FATAL_ERROR "FIRN_LIBFYAML_SOURCE has no sources of libfyaml: use tools/web")
endif()
add_library(fyaml STATIC ${fyaml_sources})
target_include_directories(fyaml PRIVATE ${FIRN_LIBFYAML_SOURCE}/src/lib
    ${FIRN_LIBFYAML_SOURCE}/src/xxhash)
target_include_directories(fyaml PUBLIC ${FIRN_LIBFYAML_SOURCE}/include)
target_compile_definitions(fyaml PRIVATE VERSION="debian" _GNU_SOURCE)
target_compile_options(fyaml PRIVATE -Oz -w $<$<BOOL:${FIRN_WEB_THREADS}>:-pthread>)
add_library(PkgConfig::libfyaml ALIAS fyaml)
