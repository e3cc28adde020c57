// SPDX-License-Identifier: MIT
// Names of the values of a measured frame.
#include "cli/commands/measure_figures.h"

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
