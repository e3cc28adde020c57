// SPDX-License-Identifier: MIT
// A test for each kind of spline: EACH_SPLINE(test) in the list of tests stands for two, and
// spline_of(state) is the kind that the test is to use.
#pragma once
#include "firn_test.h"
#include "math/bspline.h"

// clang-format off
#define EACH_SPLINE(test)                                                              \
    {#test ", cubic", test, NULL, NULL, &(firn_spline){FIRN_SPLINE_CUBIC}},            \
    {#test ", quadratic", test, NULL, NULL, &(firn_spline){FIRN_SPLINE_QUADRATIC}}
// clang-format on

static inline firn_spline spline_of(void** state)
{
    return *(const firn_spline*)*state;
}
