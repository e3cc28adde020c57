// SPDX-License-Identifier: MIT
// Mean temperatures of slabs and boxes that exchange heat through their faces by Newton's law:
// Carslaw and Jaeger 1959, sec. 3.11.
#pragma once
#include <math.h>

typedef struct slab_exact {
    double k;         // [W/m/K]
    double density;   // [kg/m^3]
    double capacity;  // [J/kg/K]
    double transfer;  // [W/m^2/K]
} slab_exact;

// (mean T - T_outside) over its initial value after t [s], of a slab of thickness L [m] that
// exchanges heat through one face; L is half the thickness where it does through both.
static inline double slab_exact_mean(const slab_exact* s, double L, double t)
{
    const double pi = 3.14159265358979323846, B = s->transfer * L / s->k;
    const double rate = s->k / (s->density * s->capacity * L * L);
    double sum = 0;
    for (int n = 0; n < 40; n++) {
        double low = n * pi, high = (n + 0.5) * pi;  // b tan b = B
        for (int k = 0; k < 60; k++) {
            const double b = 0.5 * (low + high);
            if (b * tan(b) < B)
                low = b;
            else
                high = b;
        }
        const double b2 = low * low;
        sum += 2 * B * B / (b2 * (b2 + B * B + B)) * exp(-b2 * rate * t);
    }
    return sum;
}
