// SPDX-License-Identifier: MIT
// The arithmetic loop of core/machine.h, compiled once per SIMD level (design/0002).
#include "core/machine.h"
#include "core/simd/lanes.h"
#include "core/simd/simd.h"

#define EACH(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)

static firn_real chains(int64_t rounds, firn_real a, firn_real b)
{
    const firn_lanes A = firn_lanes_all(a), B = firn_lanes_all(b);
// separate variables, because an array might stay in memory
#define START(k) firn_lanes x##k = firn_lanes_all((firn_real)k);
    EACH(START)
    for (int64_t r = 0; r < rounds; r++) {
#define ADVANCE(k) x##k = firn_lanes_fma(x##k, A, B);
        EACH(ADVANCE)
    }
    firn_lanes sum = firn_lanes_all(0);
#define ADD(k) sum += x##k;
    EACH(ADD)
    firn_real lane[FIRN_LANES], all = 0;
    firn_lanes_store(lane, sum);
    for (int k = 0; k < FIRN_LANES; k++) all += lane[k];  // uses every lane
    return all / FIRN_LANES;
}

#if FIRN_SIMD_LEVEL == 4
#define TABLE firn_machine_loops_level4
#elif FIRN_SIMD_LEVEL == 3
#define TABLE firn_machine_loops_level3
#else
#define TABLE firn_machine_loops_level1
#endif

extern const firn_machine_loops TABLE;
const firn_machine_loops TABLE = {.simd = FIRN_SIMD_NAME, .lanes = FIRN_LANES, .chains = chains};
