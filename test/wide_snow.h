// SPDX-License-Identifier: MIT
// The snow's energy and stress in a wider type, by singular values: the judge of stress, forces and
// the operator of the linear solve.
#pragma once
#include "physics/snow_material.h"
#include "wide.h"

typedef struct wide_law {
    wide mu, lambda;
} wide_law;

static inline wide_law wide_law_of(firn_lame lame)
{
    return (wide_law){(wide)lame.mu, (wide)lame.lambda};
}

// Psi of Stomakhin 2013, eq. 1: mu sum (s - 1)^2 + lambda/2 (J - 1)^2.
static inline wide wide_energy(wide3 F, wide_law l)
{
    wide s[3];
    wide_singular_values(F, s, NULL);
    const wide j = s[0] * s[1] * s[2] - 1;
    return l.mu * ((s[0] - 1) * (s[0] - 1) + (s[1] - 1) * (s[1] - 1) + (s[2] - 1) * (s[2] - 1)) +
           l.lambda / 2 * j * j;
}

static inline wide3 wide_cofactor(wide3 F)
{
    wide3 C;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            C.m[i][j] = F.m[a][c] * F.m[b][d] - F.m[a][d] * F.m[b][c];
        }
    return C;
}

// P = dPsi/dF; only used where it is itself differentiated.
static inline wide3 wide_stress(wide3 F, wide_law l)
{
    const wide3 D = wide_madd(F, -1, wide_polar(F));
    return wide_madd(wide_madd((wide3){0}, 2 * l.mu, D), l.lambda * (wide_det(F) - 1),
                     wide_cofactor(F));
}
