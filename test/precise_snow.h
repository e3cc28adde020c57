// SPDX-License-Identifier: MIT
// Energy and stress of snow with more digits, by singular values: the reference of stress, forces
// and the operator of the linear solve.
#pragma once
#include "physics/snow_material.h"
#include "precise.h"

typedef struct precise_law {
    precise mu, lambda;
} precise_law;

static inline precise_law precise_law_of(firn_lame lame)
{
    return (precise_law){(precise)lame.mu, (precise)lame.lambda};
}

// Psi of Stomakhin 2013, eq. 1: mu sum (s - 1)^2 + lambda/2 (J - 1)^2.
static inline precise precise_energy(precise3 F, precise_law l)
{
    precise s[3];
    precise_singular_values(F, s, NULL);
    const precise j = s[0] * s[1] * s[2] - 1;
    return l.mu * ((s[0] - 1) * (s[0] - 1) + (s[1] - 1) * (s[1] - 1) + (s[2] - 1) * (s[2] - 1)) +
           l.lambda / 2 * j * j;
}

static inline precise3 precise_cofactor(precise3 F)
{
    precise3 C;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            C.m[i][j] = F.m[a][c] * F.m[b][d] - F.m[a][d] * F.m[b][c];
        }
    return C;
}

// P = dPsi/dF; only used where it is itself differentiated.
static inline precise3 precise_stress(precise3 F, precise_law l)
{
    const precise3 D = precise_madd(F, -1, precise_polar(F));
    return precise_madd(precise_madd((precise3){0}, 2 * l.mu, D), l.lambda * (precise_det(F) - 1),
                        precise_cofactor(F));
}
