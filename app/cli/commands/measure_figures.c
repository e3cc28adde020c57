// SPDX-License-Identifier: MIT
// Names of the values of a measured frame.
#include "cli/commands/measure_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(firn_frame_measure, field)
#define XYZ(name, field)                                              \
    {name "_x", AT(field), false}, {name "_y", AT(field) + 8, false}, \
    {                                                                 \
        name "_z", AT(field) + 16, false                              \
    }
const cli_measure_figure cli_measure_figures[CLI_MEASURE_FIGURES] = {
    {"frame", AT(frame), true},
    {"time", AT(time), false},
    {"particles", AT(particles), true},
    {"mass", AT(mass), false},
    XYZ("center", center),
    XYZ("low", low),
    XYZ("high", high),
    XYZ("momentum", momentum),
    {"kinetic", AT(kinetic), false},
    {"fragments", AT(fragments), true},
    {"largest", AT(largest), false},
    {"mean_mass", AT(mean_mass), false},
    {"dust", AT(dust), false},
    XYZ("angular", angular),
    {"spread", AT(spread), false},
    {"temperature", AT(temperature), false},
    {"water", AT(water), false},
    XYZ("force", force),
};

int64_t cli_measure_count(const firn_frame_measure* row, const cli_measure_figure* figure)
{
    int64_t value;
    memcpy(&value, (const char*)row + figure->offset, sizeof value);
    return value;
}

double cli_measure_real(const firn_frame_measure* row, const cli_measure_figure* figure)
{
    double value;
    memcpy(&value, (const char*)row + figure->offset, sizeof value);
    return value;
}

const char* const cli_measure_loads[CLI_MEASURE_LOADS] = {"force_x",  "force_y",  "force_z",
                                                          "torque_x", "torque_y", "torque_z"};

double cli_measure_load(const firn_frame_measure* row, int collider, int value)
{
    const firn_collider_mean* mean = &row->loads[collider];
    return value < 3 ? mean->force[value] : mean->torque[value - 3];
}

double cli_measure_load_named(const firn_frame_measure* row, const char* name)
{
    for (int k = 0; k < CLI_MEASURE_LOADS; k++) {
        const size_t length = strlen(cli_measure_loads[k]);
        if (strncmp(name, cli_measure_loads[k], length) != 0 || name[length] != '_') continue;
        char* end;
        const long collider = strtol(name + length + 1, &end, 10);
        if (end == name + length + 1 || *end != '\0' || collider < 0 || collider >= row->colliders)
            return NAN;
        return cli_measure_load(row, (int)collider, k);
    }
    return NAN;
}
