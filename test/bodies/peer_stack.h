// SPDX-License-Identifier: MIT
// The stack of test_bodies_stack.c for other engines: ten cubes, the uppermost a hundred times as
// heavy, steps of 1 ms for 10 s. Prints drift, overlap and time as the test measures them.
#pragma once
#include <math.h>
#include <stdio.h>
#include <time.h>

#define CUBES 10
#define EDGE 0.1  // [m]
#define STEPS 10000
#define DT 1e-3  // [s]

typedef struct peer_stack {
    double drift, overlap;  // [edges] largest so far
    double sideways;        // [edges]
} peer_stack;

static inline double peer_mass(int k)
{
    return k == CUBES - 1 ? 100 : 1;
}

// `up`: index of the vertical axis; x: [CUBES][3] [m].
static inline void peer_measure(peer_stack* t, const double x[CUBES][3], int up)
{
    double top = 0;
    for (int k = 0; k < CUBES; k++) {
        double off2 = 0, side2 = 0;
        for (int d = 0; d < 3; d++) {
            const double off = x[k][d] - (d == up ? EDGE * (k + 0.5) : 0);
            off2 += off * off;
            side2 += d == up ? 0 : off * off;
        }
        t->drift = fmax(t->drift, sqrt(off2) / EDGE);
        t->sideways = fmax(t->sideways, sqrt(side2) / EDGE);
        t->overlap = fmax(t->overlap, (top - (x[k][up] - EDGE / 2)) / EDGE);
        top = x[k][up] + EDGE / 2;
    }
}

static inline void peer_print(const char* name, const peer_stack* t, clock_t begin)
{
    printf("%-24s drift %8.5f  sideways %8.5f  overlap %8.5f edges  %6.1f us/step\n", name,
           t->drift, t->sideways, t->overlap,
           1e6 * (double)(clock() - begin) / CLOCKS_PER_SEC / STEPS);
}
