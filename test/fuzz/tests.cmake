include(${CMAKE_CURRENT_LIST_DIR}/targets.cmake)
firn_test(fuzz fuzz_corpus LABEL unit VARIANTS float asan)
firn_test_sources(float asan FILES ${FIRN_FUZZ_SOURCES})
