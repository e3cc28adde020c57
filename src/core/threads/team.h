// SPDX-License-Identifier: MIT
// Work sharing: the loops of solvers, shapes, output and renderer run on a team of threads.
//
//     caller    ─ firn_share ─┬─ part ── part ──┬─ firn_share ─┬─ part ──┬─►
//     worker 1    (waits)     ├─ part ── part ──┤   (waits)    ├─ part ──┤
//     worker 2    (waits)     └─ part ── stolen ┘              └─ part ──┘
//
// A part is a range of items. Each thread first takes parts of its own share of the items, always
// the same share for the same count, so that data stays in its caches and on its NUMA node; then it
// takes what is left of others. A part never waits for another one, hence any system of jobs can
// run them (firn_team_create_on). Which thread runs a part must not show in results: a part writes
// what belongs to its items, or to memory of its worker that is added in a fixed order later.
//
// As with memory budgets, the team is that of the calling thread: whoever serves a call of the
// public interface sets it with firn_team_use. Without one, and inside a part, loops run in place.
//
// Workers wait by spinning as long as that pays, some tens of microseconds, then sleep. A worker
// that sleeps or has lost its core holds nobody up: the others do its share. design/0017 has the
// reasons, bench/RESULTS.md the figures.
#pragma once
#include "firn/host.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct firn_team firn_team;

// Items [begin, end) of a loop. `self` is what firn_share was given.
typedef void firn_loop(const void* self, firn_local begin, firn_local end);

// Threads start with the first loop that needs them. `threads`: with the caller's; below 1: as many
// as there are cores for this process; of more than that, only so many run. Null: out of memory.
// The caller destroys it.
firn_team* firn_team_create(int threads);
// A team of jobs->width jobs at a time instead of own threads. `jobs` is copied.
firn_team* firn_team_create_on(const firn_jobs* jobs);
// Null is fine. No loop may be running.
void firn_team_destroy(firn_team* team);

// From now on loops of the calling thread run on `team`; null: in place. Gives the one before.
firn_team* firn_team_use(firn_team* team);
// Number of workers of the calling thread's team, the caller included; 1 without a team.
int firn_team_size(void);
// Who runs the calling part: 0 .. firn_team_size() - 1, each by one thread at a time.
int firn_team_worker(void);

// Runs `loop` over [0, count). `grain`: the fewest items worth a part, about 5 microseconds of
// work; no more threads take part than there are such parts, and a single one runs in place.
void firn_share(firn_local count, firn_local grain, firn_loop* loop, const void* self);

// Seconds that all workers together have worked since firn_team_watch was called: in parts, and the
// one caller also between its loops.
void firn_team_watch(firn_team* team);
double firn_team_busy(const firn_team* team);

#ifdef __cplusplus
}
#endif
