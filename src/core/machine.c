// SPDX-License-Identifier: MIT
// Measures the peak rates of the machine.
#include "core/machine.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/simd/simd.h"
#include "core/threads/team.h"
#include "core/timer.h"

#define TRY_SECONDS 4e-3  // per try: long compared to the timer, short compared to a time slice
#define COPY_LEAST (64 << 20)  // [bytes] per array
#define COPY_MOST (512 << 20)

extern const firn_machine_loops firn_machine_loops_level1;
#if defined(__x86_64__)
extern const firn_machine_loops firn_machine_loops_level3, firn_machine_loops_level4;
#endif

const firn_machine_loops* firn_machine_loops_find(const char* simd)
{
    firn_simd_choice choice;  // plain: the best level, which has no other loops
    if (firn_simd_choose(simd, &choice, NULL) != FIRN_OK) return NULL;
#if defined(__x86_64__)
    if (choice.level == 4) return &firn_machine_loops_level4;
    if (choice.level == 3) return &firn_machine_loops_level3;
#endif
    return &firn_machine_loops_level1;
}

#define ADDITIONS 32  // per round, enough to hide the loop counter

// Neither the compiler nor the processor may shorten the chain: processors can eliminate additions
// of small constants, but not those of a register.
static uint64_t add_up(int64_t rounds, uint64_t y)
{
    __asm__("" : "+r"(y));
    uint64_t x = y;
#define ADD                             \
    {                                   \
        x += y;                         \
        __asm__ volatile("" : "+r"(x)); \
    }
#define ADD8 ADD ADD ADD ADD ADD ADD ADD ADD
    for (int64_t r = 0; r < rounds; r++) {
        ADD8 ADD8 ADD8 ADD8
    }
    return x;
}

typedef struct chain {
    const firn_machine_loops* loops;  // null: the chain of integer additions
    volatile double seen;             // keeps the compiler from removing calls
} chain;

static double seconds_of(chain* c, int64_t rounds)
{
    const double start = firn_seconds();
    if (c->loops != NULL)
        c->seen = (double)c->loops->chains(rounds, (firn_real)0.5, (firn_real)0.25);  // to 0.5
    else
        c->seen = (double)add_up(rounds, 3);
    return firn_seconds() - start;
}

// Rounds per second; the best of the tries.
static double fastest(chain* c, int tries)
{
    int64_t rounds = 1000;
    while (seconds_of(c, rounds) < TRY_SECONDS && rounds < INT64_MAX / 4) rounds *= 2;
    double best = INFINITY;
    for (int k = 0; k < tries; k++) best = fmin(best, seconds_of(c, rounds));
    return (double)rounds / best;
}

double firn_machine_clock(int tries)
{
    chain c = {0};
    return ADDITIONS * fastest(&c, tries);
}

double firn_machine_flops(const firn_machine_loops* loops, int tries)
{
    chain c = {.loops = loops};
    return 2.0 * FIRN_MACHINE_CHAINS * loops->lanes * fastest(&c, tries);
}

// Four times the last-level cache, clamped where its size is unknown or huge.
size_t firn_machine_copy_bytes(void)
{
    long cache = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    const size_t wanted = cache > 0 ? 4 * (size_t)cache : 0;
    return wanted < COPY_LEAST ? COPY_LEAST : wanted > COPY_MOST ? COPY_MOST : wanted;
}

typedef struct copy_job {
    char *to, *from;
    size_t part;  // [bytes] of a thread
} copy_job;

// Maps every page of both arrays; untouched pages would share one page of zeros.
static void touch_parts(const void* self, firn_local begin, firn_local end)
{
    const copy_job* c = self;
    const size_t first = (size_t)begin * c->part, bytes = (size_t)(end - begin) * c->part;
    memset(c->from + first, 1, bytes);
    memset(c->to + first, 0, bytes);
}

static void copy_parts(const void* self, firn_local begin, firn_local end)
{
    const copy_job* c = self;
    const size_t first = (size_t)begin * c->part;
    memcpy(c->to + first, c->from + first, (size_t)(end - begin) * c->part);
}

firn_result firn_machine_copy(int threads, size_t bytes, int tries, double* out_rate)
{
    const size_t part = bytes / (size_t)threads;
    char* from = firn_alloc(bytes, 1);
    char* to = firn_alloc(bytes, 1);
    firn_team* team = firn_team_create(threads);
    if (from == NULL || to == NULL || team == NULL) {
        firn_free(from);
        firn_free(to);
        firn_team_destroy(team);
        return FIRN_BROKEN_MEMORY;
    }
    firn_team* outer = firn_team_use(team);
    const copy_job job = {to, from, part};
    firn_share(threads, 1, touch_parts, &job);
    double best = INFINITY;
    for (int k = 0; k <= tries; k++) {  // the first warms up
        const double start = firn_seconds();
        firn_share(threads, 1, copy_parts, &job);
        if (k > 0) best = fmin(best, firn_seconds() - start);
    }
    firn_team_use(outer);
    firn_team_destroy(team);
    firn_free(from);
    firn_free(to);
    *out_rate = 2.0 * (double)part * threads / best;
    return FIRN_OK;
}
