// SPDX-License-Identifier: MIT
// The table of units. A factor is a quotient, so that 7 cm is 7/100 correctly rounded: the same
// number as 0.07, and the same scene hash.
#include "scene/parse/units.h"

#include <stdio.h>
#include <string.h>

#include "core/suggest.h"

typedef struct unit {
    const char* name;
    const char* si;         // key unit it converts to
    double times, divided;  // value in si = number * times / divided
} unit;

#define PI 3.14159265358979323846

// clang-format off
static const unit units[] = {
    {"m", "m", 1, 1}, {"km", "m", 1000, 1}, {"cm", "m", 1, 100}, {"mm", "m", 1, 1000},
    {"um", "m", 1, 1e6},
    {"s", "s", 1, 1}, {"ms", "s", 1, 1000}, {"us", "s", 1, 1e6}, {"min", "s", 60, 1},
    {"h", "s", 3600, 1},
    {"Pa", "Pa", 1, 1}, {"kPa", "Pa", 1000, 1}, {"MPa", "Pa", 1e6, 1},
    {"GPa", "Pa", 1e9, 1}, {"bar", "Pa", 1e5, 1},
    {"kg/m3", "kg/m3", 1, 1}, {"g/cm3", "kg/m3", 1000, 1}, {"t/m3", "kg/m3", 1000, 1},
    {"m/s", "m/s", 1, 1}, {"cm/s", "m/s", 1, 100}, {"mm/s", "m/s", 1, 1000},
    {"km/h", "m/s", 1, 3.6},
    {"m/s2", "m/s2", 1, 1}, {"g", "m/s2", 9.80665, 1},
    {"kg/s", "kg/s", 1, 1}, {"g/s", "kg/s", 1, 1000}, {"t/h", "kg/s", 1, 3.6},
    {"1/s", "1/s", 1, 1}, {"Hz", "1/s", 1, 1}, {"fps", "1/s", 1, 1},
    {"rad/s", "rad/s", 1, 1}, {"deg/s", "rad/s", PI, 180}, {"rpm", "rad/s", PI, 30},
    {"deg", "deg", 1, 1}, {"rad", "deg", 180, PI},
    {"rad", "rad", 1, 1}, {"deg", "rad", PI, 180},
    {"kg", "kg", 1, 1}, {"g", "kg", 1, 1000}, {"t", "kg", 1000, 1},
    {"degC", "degC", 1, 1},
    {"%", "-", 1, 100},
};
static const char* const dimensions[][2] = {
    {"m", "a length"}, {"s", "a time"}, {"Pa", "a pressure"}, {"kg/m3", "a density"},
    {"m/s", "a speed"}, {"m/s2", "an acceleration"}, {"1/s", "a rate"},
    {"rad/s", "an angular speed"}, {"deg", "an angle"}, {"rad", "an angle"},
    {"kg", "a mass"}, {"kg/s", "a mass flow"}, {"degC", "a temperature"},
    {"-", "a number without a unit"},
};
// clang-format on
enum { UNITS = sizeof units / sizeof *units, DIMENSIONS = sizeof dimensions / sizeof *dimensions };

// "kg/m^3" and "kg/m3" are the same unit.
static void strip_carets(const char* from, char* to, size_t size)
{
    size_t n = 0;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every row of the table has a name
    for (; *from != 0 && n + 1 < size; from++)
        if (*from != '^') to[n++] = *from;
    to[n] = 0;
}

static const unit* find_unit(const char* name, const char* si)
{
    for (int i = 0; i < UNITS; i++)
        if (strcmp(units[i].name, name) == 0 && (si == NULL || strcmp(units[i].si, si) == 0))
            return &units[i];
    return NULL;
}

const char* firn_unit_dimension(const char* key_unit)
{
    char si[24];
    strip_carets(key_unit != NULL ? key_unit : "", si, sizeof si);
    for (int i = 0; i < DIMENSIONS; i++)
        if (strcmp(dimensions[i][0], si) == 0) return dimensions[i][1];
    return NULL;
}

bool firn_unit_choices(const char* key_unit, char* text, size_t size)
{
    char si[24];
    strip_carets(key_unit != NULL ? key_unit : "", si, sizeof si);
    size_t used = 0;
    if (size > 0) text[0] = 0;
    for (int i = 0; i < UNITS; i++) {
        if (strcmp(units[i].si, si) != 0) continue;
        const int n =
            snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", units[i].name);
        if (n < 0 || used + (size_t)n >= size) break;
        used += (size_t)n;
    }
    return used > 0;
}

static void explain(const char* key_unit, const char* suffix, char* message, size_t size)
{
    char choices[120];
    const char* wanted = firn_unit_dimension(key_unit);
    const bool any = firn_unit_choices(key_unit, choices, sizeof choices);
    const unit* other = find_unit(suffix, NULL);
    if (!any) {
        snprintf(message, size, "expected a plain number, without the unit '%.20s'", suffix);
    } else if (other != NULL) {
        snprintf(message, size, "expected %s (%s), but '%.20s' is %s", wanted, choices, suffix,
                 firn_unit_dimension(other->si));
    } else {
        const char* names[UNITS];
        size_t count = 0;
        char si[24];
        strip_carets(key_unit, si, sizeof si);
        for (int i = 0; i < UNITS; i++)
            if (strcmp(units[i].si, si) == 0) names[count++] = units[i].name;
        const char* near = firn_suggest(suffix, names, count);
        snprintf(message, size, "unknown unit '%.20s': expected %s (%s)%s%s%s", suffix, wanted,
                 choices, near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    }
}

bool firn_unit_convert(const char* key_unit, const char* suffix, double* value, char* message,
                       size_t message_size)
{
    char name[24], si[24];
    strip_carets(suffix, name, sizeof name);
    strip_carets(key_unit != NULL ? key_unit : "", si, sizeof si);
    if (strcmp(name, "\xc2\xb0") == 0) strcpy(name, "deg");  // degree sign
    if (strcmp(name, "\xc2\xb0"
                     "C") == 0)
        strcpy(name, "degC");
    const unit* found = key_unit != NULL ? find_unit(name, si) : NULL;
    if (found != NULL) {
        *value = *value * found->times / found->divided;
        return true;
    }
    // A unit that only the key knows ("frames", "pixels") may be written out.
    if (key_unit != NULL && si[0] != 0 && strcmp(si, "-") != 0 && strcmp(name, si) == 0)
        return true;
    explain(key_unit, suffix, message, message_size);
    return false;
}
