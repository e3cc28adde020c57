// SPDX-License-Identifier: MIT
// Values of a run over time, by name: those of `firn measure`, and some that follow from them.
#pragma once
#include "firn/firn.h"

typedef struct verify_series {
    firn_frame_measure* rows;  // owned by the library; firn_measure_free
    int count;
} verify_series;

// The value `column` of a frame; NaN: there is no column of this name.
double verify_series_at(const verify_series* series, const char* column, int frame);
