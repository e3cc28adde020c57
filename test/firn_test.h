// SPDX-License-Identifier: MIT
// What every test file includes: cmocka with the headers it wants before it, and comparisons that
// print what they compared (compare.h).
//
// test/<folder>/test_<file>.c ends with
//     int test_<file>(void)
//     {
//         const struct CMUnitTest tests[] = {cmocka_unit_test(…), …};
//         return cmocka_run_group_tests_name("<file>", tests, NULL, NULL);
//     }
// and has one line in test/<folder>/tests.cmake (see cmake/FirnTests.cmake). Defined for it:
//     FIRN_SOURCE_DIR  the repository     FIRN_CLI  the built command line
//     FIRN_TEST_TMP    a folder of its own, empty when the test starts
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare.h"

// What a test returns instead of a count of failures when this machine lacks what it needs.
#define FIRN_TEST_SKIPPED 77

// 1 where sanitizers watch: they look for errors of memory and take ten times as long, so that
// tests which repeat themselves (random damage, numbers of threads) do so less often there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FIRN_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FIRN_TEST_SANITIZED 1
#endif
#endif
#ifndef FIRN_TEST_SANITIZED
#define FIRN_TEST_SANITIZED 0
#endif

// Names each test function; the runner calls it.
#define TEST(name, scratch) int test_##name(void);
#include "test_list.inc"
#undef TEST
