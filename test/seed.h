// SPDX-License-Identifier: MIT
// Random numbers for tests. The seed is printed, and FIRN_TEST_SEED repeats or varies a run.
#pragma once
#include <stdlib.h>

#include "firn_test.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/random.h"

typedef struct any_source {
    uint64_t seed, index;
} any_source;

static inline any_source any_start(uint64_t default_seed)
{
    const char* given = getenv("FIRN_TEST_SEED");
    const uint64_t seed = given != NULL ? strtoull(given, NULL, 10) : default_seed;
    print_message("seed %llu\n", (unsigned long long)seed);
    return (any_source){seed, 0};
}

// Uniform in [low, high).
static inline double any_between(any_source* r, double low, double high)
{
    return low + (high - low) * firn_random_unit(r->seed, r->index++);
}

static inline int any_below(any_source* r, int count)
{
    return (int)any_between(r, 0, count);
}

static inline firn_vec3 any_vec3(any_source* r, double size)
{
    const double x = any_between(r, -size, size), y = any_between(r, -size, size);
    return firn_v3((firn_real)x, (firn_real)y, (firn_real)any_between(r, -size, size));
}

static inline firn_mat3 any_mat3(any_source* r, double size)
{
    firn_mat3 a;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] = (firn_real)any_between(r, -size, size);
    return a;
}

// Uniform over all rotations (Shoemake: four normals would do; a point of the 4-ball is as good).
static inline firn_mat3 any_rotation(any_source* r)
{
    for (;;) {
        const double w = any_between(r, -1, 1), x = any_between(r, -1, 1);
        const double y = any_between(r, -1, 1), z = any_between(r, -1, 1);
        const double l = sqrt(w * w + x * x + y * y + z * z);
        if (l > 1 || l < 0.1) continue;
        return firn_q_to_m3((firn_quat){(firn_real)(w / l), (firn_real)(x / l), (firn_real)(y / l),
                                        (firn_real)(z / l)});
    }
}

// U diag(s) V^T with random rotations and each stretch uniform in [low, high).
static inline firn_mat3 any_stretched(any_source* r, double low, double high)
{
    const double a = any_between(r, low, high), b = any_between(r, low, high);
    const double c = any_between(r, low, high);
    const firn_mat3 U = any_rotation(r), V = any_rotation(r);
    const firn_mat3 S = firn_m3_diagonal((firn_real)a, (firn_real)b, (firn_real)c);
    return firn_m3_mul_transposed(firn_m3_mul(U, S), V);
}
