// SPDX-License-Identifier: MIT
// Columns of a series.
#include "cli/verify/series.h"

#include <math.h>
#include <string.h>

#include "cli/commands/measure_figures.h"

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// velocity_x, velocity_y, velocity_z of the centre of mass [m/s]
static double velocity(const firn_frame_measure* row, const char* column)
{
    const char axis = column[sizeof "velocity_" - 1];
    if (axis < 'x' || axis > 'z') return NAN;
    return row->momentum[axis - 'x'] / row->mass;
}

// The slope of a heap [degrees]: a cone of height H and radius R has its centre of mass at H/4, and
// its mean distance from the axis is R/2.
static double slope(const firn_frame_measure* row)
{
    const double degrees = 57.29577951308232;
    return degrees * atan2(2 * (row->center[1] - row->low[1]), row->spread);
}

// Length along x of the snow that moves [m], if it moves as one: a share s of the mass that moves
// at v has momentum s m v and energy s m v²/2.
static double moving(const firn_frame_measure* row)
{
    const double momentum = length(row->momentum);
    if (!(row->kinetic > 0)) return 0;
    return momentum * momentum / (2 * row->kinetic * row->mass) * (row->high[0] - row->low[0]);
}

double verify_series_at(const verify_series* series, const char* column, int frame)
{
    const firn_frame_measure* row = &series->rows[frame];
    for (int k = 0; k < CLI_MEASURE_FIGURES; k++) {
        const cli_measure_figure* f = &cli_measure_figures[k];
        if (strcmp(f->name, column) != 0) continue;
        return f->is_count ? (double)cli_measure_count(row, f) : cli_measure_real(row, f);
    }
    if (strncmp(column, "velocity_", sizeof "velocity_" - 1) == 0) return velocity(row, column);
    if (strcmp(column, "speed") == 0) return length(row->momentum) / row->mass;
    if (strcmp(column, "rms_speed") == 0) return sqrt(2 * row->kinetic / row->mass);
    if (strcmp(column, "moving") == 0) return moving(row);
    if (strcmp(column, "angular") == 0) return length(row->angular);
    if (strcmp(column, "slope") == 0) return slope(row);
    const double load = cli_measure_load_named(row, column);
    if (!isnan(load)) return load;
    if (strcmp(column, "height") == 0) return row->high[1] - row->low[1];
    return NAN;
}
