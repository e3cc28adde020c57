// SPDX-License-Identifier: MIT
// Checks a measured value against the table of figures.h, and prints the pair: `tools/validate`
// collects the printed lines into one table.
#pragma once
#include <math.h>

#include "firn_test.h"

typedef enum figure_kind {
    RELATIVE,  // |measured - value| <= tolerance |value|
    ABSOLUTE,  // |measured - value| <= tolerance; value 0: measured is an error
    AT_LEAST,  // measured >= value; tolerance unused
    AT_MOST    // measured <= value; tolerance unused
} figure_kind;

typedef struct figure {
    const char* name;  // "T01_sum_w": the test of VALIDATION and what is measured
    double value, tolerance;
    figure_kind kind;
} figure;

#ifdef FIRN_DOUBLE
#define FIGURE_TOLERANCE(in_double, in_single) (in_double)
#define FIGURE_BUILD "D"
#else
#define FIGURE_TOLERANCE(in_double, in_single) (in_single)
#define FIGURE_BUILD "S"
#endif

enum {
#define FIGURE(name, kind, value, in_double, in_single) FIGURE_##name,
#include "figures.h"
#undef FIGURE
    FIGURE_COUNT
};

static inline figure figure_get(int index)
{
    static const figure table[FIGURE_COUNT] = {
#define FIGURE(name, kind, value, in_double, in_single) \
    {#name, value, FIGURE_TOLERANCE(in_double, in_single), kind},
#include "figures.h"
#undef FIGURE
    };
    return table[index];
}

// Written so that a NaN is never right.
static inline bool figure_holds(figure f, double measured)
{
    switch (f.kind) {
    case RELATIVE: return fabs(measured - f.value) <= f.tolerance * fabs(f.value);
    case ABSOLUTE: return fabs(measured - f.value) <= f.tolerance;
    case AT_LEAST: return measured >= f.value;
    default: return measured <= f.value;
    }
}

static inline void check_figure_at(int index, double measured, const char* file, int line)
{
    static const char* const sign[] = {"relative", "absolute", "at least", "at most"};
    const figure f = figure_get(index);
    const bool good = figure_holds(f, measured);
    print_message("figure %s %-32s measured %.9g expected %.9g tolerance %.3g %s: %s\n",
                  FIGURE_BUILD, f.name, measured, f.value, f.tolerance, sign[f.kind],
                  good ? "ok" : "WRONG");
    if (!good) _fail(file, line);
}

// check_figure(T01_sum_w, largest_error): fails the test at this line when it does not hold.
#define check_figure(name, measured) check_figure_at(FIGURE_##name, (measured), __FILE__, __LINE__)
// A figure's own value, for tests that need it as an input.
#define figure_value(name) (figure_get(FIGURE_##name).value)
