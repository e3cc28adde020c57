// SPDX-License-Identifier: MIT
// The values of a measured frame by name, as CSV, JSON and `firn verify` know them.
#pragma once
#include "firn/firn.h"

typedef struct cli_measure_figure {
    const char* name;
    size_t offset;  // in firn_frame_measure
    bool is_count;  // int64_t, else double
} cli_measure_figure;

enum { CLI_MEASURE_FIGURES = 27 };
extern const cli_measure_figure cli_measure_figures[CLI_MEASURE_FIGURES];

int64_t cli_measure_count(const firn_frame_measure* row, const cli_measure_figure* figure);
double cli_measure_real(const firn_frame_measure* row, const cli_measure_figure* figure);
