// SPDX-License-Identifier: MIT
// The values of a measured frame by name, as CSV, JSON and `firn verify` know them.
#pragma once
#include "firn/firn.h"

typedef struct cli_measure_figure {
    const char* name;
    size_t offset;  // in firn_frame_measure
    bool is_count;  // int64_t, else double
} cli_measure_figure;

enum { CLI_MEASURE_FIGURES = 30 };
extern const cli_measure_figure cli_measure_figures[CLI_MEASURE_FIGURES];

int64_t cli_measure_count(const firn_frame_measure* row, const cli_measure_figure* figure);
double cli_measure_real(const firn_frame_measure* row, const cli_measure_figure* figure);

// Values of colliders: "force_x_0" to "torque_z_0" of collider 0, and so on.
enum { CLI_MEASURE_LOADS = 6 };
extern const char* const cli_measure_loads[CLI_MEASURE_LOADS];  // without the number
double cli_measure_load(const firn_frame_measure* row, int collider, int value);
// The same by name; NaN: there is no such value.
double cli_measure_load_named(const firn_frame_measure* row, const char* name);
