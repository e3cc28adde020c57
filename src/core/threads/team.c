// SPDX-License-Identifier: MIT
// One word, `round`, announces a loop: its number and how many shares it has. Workers look at this
// word while they wait, so that the caller starts all of them with one store:
//
//     caller    writes the loop ── round = n ── takes parts ── nothing left ── awaits who entered n
//     worker    (waits) ── sees n ── enters n ── takes parts ── nothing left ── leaves n ── (waits)
//
// A worker enters a loop by a word of its own. The caller, when nothing is left, closes that door
// for those who have not come, and waits for those inside: so the description of the loop changes
// only while nobody reads it, and a worker that sleeps or has lost its core delays nobody.
//
// The counter of a share is tagged with the number of its loop. Whoever takes the first part sets
// it, its worker or another: the caller writes nothing for those that it calls.
#define _GNU_SOURCE
#include "core/threads/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <time.h>

#include "core/memory.h"
#include "core/threads/cores.h"
#include "core/threads/futex.h"

#define LINE FIRN_ALIGNMENT  // [bytes] words that different threads write are in different lines
#define MOST_THREADS 4096
#define STACK_BYTES (8 << 20)  // as a program's first thread usually has
#define PARTS_OF_SHARE 16  // or up to 31: small enough to even out, large enough to cost nothing
#define SPIN_MOST 50000    // [ns] about what sleeping and waking cost (assumed)
#define SPIN_LEAST 500     // [ns]
#define LOOKS 32           // between two looks at the clock
#define LOST_CORE 200000   // [ns] between two looks at the clock: something else ran here
#define CALM 20000000      // [ns] without spinning after that
#define NODES "/sys/devices/system/node"

// `round`: number of the loop and its shares. `door`: number of the loop and what the worker did in
// it. `taken`: number of the loop and parts of the share that are taken.
#define SHARE_BITS 16
#define PART_BITS 8
#define DOOR_BITS 2
enum { OUTSIDE, INSIDE, LEFT, CLOSED };

typedef struct worker {
    alignas(LINE) atomic_uint_fast64_t taken;
    alignas(LINE) atomic_uint_fast64_t door;
    atomic_uint awaited;  // 1: the caller sleeps until the worker has left
    alignas(LINE) pthread_t thread;
    firn_team* team;
    int number;
    uint64_t seen;  // the last round
    int64_t spin;   // [ns] how long it spins before it sleeps
    double busy;    // [s]
} worker;

struct firn_team {
    alignas(LINE) atomic_uint_fast64_t round;
    // the loop
    alignas(LINE) firn_loop* loop;
    const void* self;
    firn_memory_budget* budget;
    int64_t count, share, chunk;  // items of all, of a share, of a part
    uint64_t number;
    int shares;
    bool watched, ends;
    // waiting
    alignas(LINE) atomic_int sleepers;
    atomic_uint bell;                // changes when sleeping workers are called
    atomic_int_fast64_t calm_until;  // [ns] no spinning before then
    // the caller's
    alignas(LINE) atomic_bool taken;    // some thread runs a loop on the team
    firn_jobs jobs;                     // run: null: own threads
    int64_t watched_since, shared;      // [ns]; `shared`: in loops on the team since then
    int size, running, started, nodes;  // running: at once, the caller included
    unsigned forks;                     // of the process when the threads were started
    worker workers[];                   // [size]; 0 is the caller
};

static _Thread_local firn_team* t_team;
static _Thread_local int t_worker;
static _Thread_local bool t_inside;  // in a part: loops run in place

static atomic_uint g_forks;  // how many forks separate this process from the first

static void count_fork(void)
{
    atomic_fetch_add(&g_forks, 1);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void pause_core(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

// Looks at *word until it is not `value`, as long as spinning pays; true: it changed. Spins that
// were in vain become shorter, successful ones longer; a thread that has lost its core meanwhile
// lets the whole team sleep for a while.
static bool spin_while(worker* me, atomic_uint_fast64_t* word, uint64_t value)
{
    firn_team* team = me->team;
    if (atomic_load_explicit(word, memory_order_acquire) != value) return true;
    int64_t last = now_ns();
    const bool calm = last < atomic_load_explicit(&team->calm_until, memory_order_relaxed);
    const int64_t until = last + (calm ? SPIN_LEAST : me->spin);
    for (;;) {
        for (int k = 0; k < LOOKS; k++) {
            if (atomic_load_explicit(word, memory_order_acquire) != value) {
                if (me->spin < SPIN_MOST) me->spin *= 2;
                return true;
            }
            pause_core();
        }
        const int64_t now = now_ns();
        if (now - last > LOST_CORE)
            atomic_store_explicit(&team->calm_until, now + CALM, memory_order_relaxed);
        if (now > until || now - last > LOST_CORE) {
            if (me->spin > SPIN_LEAST) me->spin /= 2;
            return false;
        }
        last = now;
    }
}

// Takes parts of share k until there are none.
static void take_parts(firn_team* team, int k)
{
    atomic_uint_fast64_t* taken = &team->workers[k].taken;
    const uint64_t none = team->number << PART_BITS;
    const int64_t first = k * team->share;
    const int64_t end = first + team->share < team->count ? first + team->share : team->count;
    uint_fast64_t now = atomic_load_explicit(taken, memory_order_relaxed);
    for (;;) {
        const uint64_t at = now >> PART_BITS == team->number ? now : none;
        const int64_t begin = first + (int64_t)(at - none) * team->chunk;
        if (begin >= end) return;
        if (!atomic_compare_exchange_weak_explicit(taken, &now, at + 1, memory_order_relaxed,
                                                   memory_order_relaxed))
            continue;
        now = at + 1;
        team->loop(team->self, (firn_local)begin,
                   (firn_local)(begin + team->chunk < end ? begin + team->chunk : end));
        now = atomic_load_explicit(taken, memory_order_relaxed);
    }
}

// What worker `number` does in a loop: its own share, then the rest of the others'.
static void work(firn_team* team, int number)
{
    firn_team* own_team = t_team;
    const int own_number = t_worker;
    firn_memory_budget* own_budget = firn_memory_use(team->budget);
    const int64_t start = team->watched ? now_ns() : 0;
    t_team = team;
    t_worker = number;
    t_inside = true;
    for (int k = 0; k < team->shares; k++) take_parts(team, (number + k) % team->shares);
    t_inside = false;
    t_worker = own_number;
    t_team = own_team;
    firn_memory_use(own_budget);
    if (team->watched) team->workers[number].busy += 1e-9 * (double)(now_ns() - start);
}

// Waits for the next round.
static uint64_t await_round(worker* me)
{
    firn_team* team = me->team;
    while (!spin_while(me, &team->round, me->seen)) {
        const unsigned bell = atomic_load(&team->bell);
        atomic_fetch_add(&team->sleepers, 1);
        if (atomic_load(&team->round) == me->seen) firn_futex_wait(&team->bell, bell);
        atomic_fetch_sub(&team->sleepers, 1);
    }
    return me->seen = atomic_load_explicit(&team->round, memory_order_acquire);
}

static void* live(void* self)
{
    worker* me = self;
    firn_team* team = me->team;
    if (team->nodes > 1)
        firn_cores_stay_on_node(NODES, (int)((int64_t)me->number * team->nodes / team->running));
    for (;;) {
        const uint64_t round = await_round(me), loop = round >> SHARE_BITS;
        if (me->number >= (int)(round & ((1u << SHARE_BITS) - 1))) continue;
        uint_fast64_t door = atomic_load_explicit(&me->door, memory_order_relaxed);
        // Too late if the door of this loop is closed, or already that of a later one: a worker may
        // have lost its core for several loops since it saw this round.
        if (door >> DOOR_BITS >= loop ||
            !atomic_compare_exchange_strong(&me->door, &door, loop << DOOR_BITS | INSIDE))
            continue;
        const bool ends = team->ends;
        if (!ends) work(team, me->number);
        atomic_store(&me->door, loop << DOOR_BITS | LEFT);
        if (atomic_load(&me->awaited) != 0) {
            atomic_store(&me->awaited, 0);
            firn_futex_wake_all(&me->awaited);
        }
        if (ends) return NULL;
    }
}

// Threads take no signals: handlers run on the program's own threads. Where the system gives no
// more threads, the team is smaller.
static void start_threads(firn_team* team)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    team->forks = atomic_load(&g_forks);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (team->started = 1; team->started < team->running; team->started++) {
        worker* w = &team->workers[team->started];
        w->seen = atomic_load(&team->round);
        if (pthread_create(&w->thread, &attributes, live, w) != 0) break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

// Announces the loop to workers 1 .. shares - 1.
static void call_workers(firn_team* team, int shares)
{
    team->shares = shares;
    atomic_store(&team->round, team->number << SHARE_BITS | (uint64_t)shares);
    if (atomic_load(&team->sleepers) == 0) return;
    atomic_fetch_add(&team->bell, 1);
    firn_futex_wake_all(&team->bell);
}

// Closes the doors; returns when workers 1 .. shares - 1 have left.
static void await_workers(firn_team* team, int shares)
{
    const uint64_t closed = team->number << DOOR_BITS | CLOSED;
    const uint64_t inside = team->number << DOOR_BITS | INSIDE;
    const uint64_t left = team->number << DOOR_BITS | LEFT;
    for (int k = 1; k < shares; k++) {
        worker* w = &team->workers[k];
        uint_fast64_t door = atomic_load_explicit(&w->door, memory_order_acquire);
        if (door == left) continue;
        if (door != inside && atomic_compare_exchange_strong(&w->door, &door, closed)) continue;
        while (!spin_while(&team->workers[0], &w->door, inside)) {
            atomic_store(&w->awaited, 1);
            if (atomic_load(&w->door) == inside) firn_futex_wait(&w->awaited, 1);
        }
    }
}

static void run_job(void* team, int k)
{
    work(team, k);
}

static void run_on(firn_team* team, firn_local count, firn_local grain, int shares)
{
    if (team->jobs.run == NULL) {
        if (team->started == 0 || team->forks != atomic_load(&g_forks)) start_threads(team);
        if (shares > team->started) shares = team->started;
    }
    team->count = count;
    team->share = ((int64_t)count + shares - 1) / shares;
    team->chunk = team->share / PARTS_OF_SHARE;
    if (team->chunk < grain) team->chunk = grain;
    team->budget = firn_memory_used();
    team->number++;
    if (team->jobs.run != NULL) {
        team->shares = shares;
        team->jobs.run(team->jobs.user, shares, run_job, team);
        return;
    }
    call_workers(team, shares);
    work(team, 0);
    await_workers(team, shares);
}

void firn_share(firn_local count, firn_local grain, firn_loop* loop, const void* self)
{
    firn_team* team = t_team;
    if (count <= 0) return;
    if (grain < 1) grain = 1;
    const int64_t useful = ((int64_t)count + grain - 1) / grain;
    if (team == NULL || t_inside || team->running == 1 || useful == 1 ||
        atomic_exchange_explicit(&team->taken, true, memory_order_acquire)) {
        loop(self, 0, count);
        return;
    }
    team->loop = loop;
    team->self = self;
    const int64_t start = team->watched ? now_ns() : 0;
    run_on(team, count, grain, useful < team->running ? (int)useful : team->running);
    if (team->watched) team->shared += now_ns() - start;
    atomic_store_explicit(&team->taken, false, memory_order_release);
}

static firn_team* create(int size)
{
    firn_team* team = firn_alloc(1, sizeof(firn_team) + (size_t)size * sizeof(worker));
    if (team == NULL) return NULL;
    team->size = size;
    team->running = size;
    team->nodes = firn_cores_nodes(NODES);
    for (int k = 0; k < size; k++) {
        team->workers[k].team = team;
        team->workers[k].number = k;
        team->workers[k].spin = SPIN_MOST;
    }
    return team;
}

firn_team* firn_team_create(int threads)
{
    const int cores = firn_cores_count();
    if (threads < 1) threads = cores;
    firn_team* team = create(threads < MOST_THREADS ? threads : MOST_THREADS);
    if (team != NULL && cores < team->size) team->running = cores;
    return team;
}

firn_team* firn_team_create_on(const firn_jobs* jobs)
{
    const int width = jobs->width;
    firn_team* team = create(width < 1 ? 1 : width < MOST_THREADS ? width : MOST_THREADS);
    if (team != NULL) team->jobs = *jobs;
    return team;
}

void firn_team_destroy(firn_team* team)
{
    if (team == NULL) return;
    if (team->started > 1 && team->forks == atomic_load(&g_forks)) {
        team->ends = true;
        team->number++;
        call_workers(team, team->started);
        for (int k = 1; k < team->started; k++) pthread_join(team->workers[k].thread, NULL);
    }
    if (t_team == team) t_team = NULL;
    firn_free(team);
}

firn_team* firn_team_use(firn_team* team)
{
    firn_team* before = t_team;
    t_team = team;
    return before;
}

int firn_team_size(void)
{
    return t_team != NULL ? t_team->size : 1;
}

int firn_team_worker(void)
{
    return t_worker;
}

void firn_team_watch(firn_team* team)
{
    team->watched = true;
    team->shared = 0;
    for (int k = 0; k < team->size; k++) team->workers[k].busy = 0;
    team->watched_since = now_ns();
}

double firn_team_busy(const firn_team* team)
{
    double sum = 1e-9 * (double)(now_ns() - team->watched_since - team->shared);
    for (int k = 0; k < team->size; k++) sum += team->workers[k].busy;
    return sum;
}
