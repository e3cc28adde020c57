// SPDX-License-Identifier: MIT
// A worker has one word, `call`:
//
//     IDLE ──caller──► CALLED ──worker──► BUSY ──worker──► IDLE          it took part
//       │                 └────caller────────────────────► IDLE          it came too late
//     worker
//       ▼
//     ASLEEP ──caller──► CALLED, and the bell rings
//
// The caller publishes the loop, calls as many workers as the loop has use for, works itself until
// no item is left, takes back the calls that nobody has followed, and waits for those who are BUSY.
// So the loop's description and the counters of items are read only while the caller waits.
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

#define LINE FIRN_ALIGNMENT
#define MOST_THREADS 4096
#define STACK_BYTES (8 << 20)  // as a program's first thread usually has
#define PARTS_OF_SHARE 16      // at most: small enough to even out, large enough to cost nothing
#define SPIN_MOST 50000        // [ns] about what sleeping and waking cost
#define SPIN_LEAST 500         // [ns]
#define LOOKS 32               // between two looks at the clock
#define LOST_CORE 200000       // [ns] between two looks at the clock: something else ran here
#define CALM 20000000          // [ns] without spinning after that
#define NODES "/sys/devices/system/node"

enum { IDLE, CALLED, BUSY, BUSY_AWAITED, ASLEEP };

typedef struct worker {
    alignas(LINE) atomic_uint call;
    atomic_int_fast64_t next;  // first item of its share that nobody has taken
    int_fast64_t end;          // of its share
    alignas(LINE) pthread_t thread;
    firn_team* team;
    int number;
    int64_t spin;  // [ns] how long it spins before it sleeps
    double busy;   // [s]
} worker;

struct firn_team {
    // of the loop that runs
    firn_loop* loop;
    const void* self;
    int_fast64_t chunk;  // items of a part
    int shares;          // workers that have a share
    firn_memory_budget* budget;
    alignas(LINE) atomic_uint bell;   // changes when sleeping workers are called
    atomic_int_fast64_t calm_until;   // [ns] no spinning before then
    alignas(LINE) atomic_bool taken;  // some thread runs a loop on the team
    bool watched, ends;
    int64_t watched_since, shared;  // [ns]; `shared`: in loops on the team since then
    firn_jobs jobs;                 // run: null: own threads
    int size, started, nodes, cores;
    unsigned forks;    // of the process when the threads were started
    worker workers[];  // [size]; 0 is the caller
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

// Looks at w->call until it is not `value`, as long as spinning pays; true: it changed. Spins that
// were in vain become shorter, successful ones longer; a thread that has lost its core meanwhile
// lets the whole team sleep for a while.
static bool spin_while(worker* me, atomic_uint* call, unsigned value)
{
    firn_team* team = me->team;
    if (team->size > team->cores) return atomic_load_explicit(call, memory_order_acquire) != value;
    int64_t last = now_ns();
    const bool calm = last < atomic_load_explicit(&team->calm_until, memory_order_relaxed);
    const int64_t until = last + (calm ? SPIN_LEAST : me->spin);
    for (;;) {
        for (int k = 0; k < LOOKS; k++) {
            if (atomic_load_explicit(call, memory_order_acquire) != value) {
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

// Takes parts of worker k's share until there are none.
static void take_parts(firn_team* team, int k)
{
    worker* w = &team->workers[k];
    for (;;) {
        if (atomic_load_explicit(&w->next, memory_order_relaxed) >= w->end) return;
        const int_fast64_t begin =
            atomic_fetch_add_explicit(&w->next, team->chunk, memory_order_relaxed);
        if (begin >= w->end) return;
        const int_fast64_t end = begin + team->chunk < w->end ? begin + team->chunk : w->end;
        team->loop(team->self, (firn_local)begin, (firn_local)end);
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

// Waits until the worker is called; false: the team ends.
static bool await_call(worker* me)
{
    firn_team* team = me->team;
    for (;;) {
        unsigned call = atomic_load_explicit(&me->call, memory_order_acquire);
        if (call == IDLE && !spin_while(me, &me->call, IDLE)) {
            const unsigned bell = atomic_load(&team->bell);
            unsigned idle = IDLE;
            atomic_compare_exchange_strong(&me->call, &idle, ASLEEP);
            while (atomic_load(&me->call) == ASLEEP && atomic_load(&team->bell) == bell)
                firn_futex_wait(&team->bell, bell);
            unsigned asleep = ASLEEP;  // the bell was for others
            atomic_compare_exchange_strong(&me->call, &asleep, IDLE);
        }
        call = CALLED;
        if (atomic_compare_exchange_strong(&me->call, &call, BUSY)) return !team->ends;
    }
}

static void* live(void* self)
{
    worker* me = self;
    firn_team* team = me->team;
    if (team->nodes > 1)
        firn_cores_stay_on_node(NODES, (int)((int64_t)me->number * team->nodes / team->size));
    while (await_call(me)) {
        work(team, me->number);
        if (atomic_exchange_explicit(&me->call, IDLE, memory_order_acq_rel) == BUSY_AWAITED)
            firn_futex_wake_all(&me->call);
    }
    return NULL;
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
    for (team->started = 1; team->started < team->size; team->started++) {
        worker* w = &team->workers[team->started];
        atomic_init(&w->call, IDLE);
        if (pthread_create(&w->thread, &attributes, live, w) != 0) break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

// Calls workers 1 .. count - 1.
static void call_workers(firn_team* team, int count)
{
    bool asleep = false;
    for (int k = 1; k < count; k++)
        asleep |= atomic_exchange(&team->workers[k].call, CALLED) == ASLEEP;
    if (!asleep) return;
    atomic_fetch_add(&team->bell, 1);
    firn_futex_wake_all(&team->bell);
}

// Returns when workers 1 .. count - 1 are out of the loop.
static void await_workers(firn_team* team, int count)
{
    worker* caller = &team->workers[0];
    for (int k = 1; k < count; k++) {
        atomic_uint* call = &team->workers[k].call;
        unsigned called = CALLED;
        if (atomic_compare_exchange_strong(call, &called, IDLE)) continue;
        unsigned busy = BUSY;
        if (spin_while(caller, call, BUSY)) continue;  // IDLE, or ASLEEP already
        if (atomic_compare_exchange_strong(call, &busy, BUSY_AWAITED))
            while (atomic_load(call) == BUSY_AWAITED) firn_futex_wait(call, BUSY_AWAITED);
    }
}

static void run_job(void* team, int k)
{
    work(team, k);
}

static void share_out(firn_team* team, firn_local count, int shares)
{
    team->shares = shares;
    const int64_t share = ((int64_t)count + shares - 1) / shares;
    for (int k = 0; k < shares; k++) {
        worker* w = &team->workers[k];
        const int64_t begin = k * share, end = begin + share;
        atomic_store_explicit(&w->next, begin < count ? begin : count, memory_order_relaxed);
        w->end = end < count ? end : count;
    }
}

static void run_on(firn_team* team, firn_local count, firn_local grain, int shares)
{
    const int64_t even = ((int64_t)count / shares) / PARTS_OF_SHARE;
    team->chunk = even > grain ? even : grain;
    team->budget = firn_memory_used();
    if (team->jobs.run != NULL) {
        share_out(team, count, shares);
        team->jobs.run(team->jobs.user, shares, run_job, team);
        return;
    }
    if (team->started == 0 || team->forks != atomic_load(&g_forks)) start_threads(team);
    if (shares > team->started) shares = team->started;
    share_out(team, count, shares);
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
    if (team == NULL || t_inside || team->size == 1 || useful == 1 ||
        atomic_exchange_explicit(&team->taken, true, memory_order_acquire)) {
        loop(self, 0, count);
        return;
    }
    team->loop = loop;
    team->self = self;
    const int64_t start = team->watched ? now_ns() : 0;
    run_on(team, count, grain, useful < team->size ? (int)useful : team->size);
    if (team->watched) team->shared += now_ns() - start;
    atomic_store_explicit(&team->taken, false, memory_order_release);
}

static firn_team* create(int size)
{
    firn_team* team = firn_alloc(1, sizeof(firn_team) + (size_t)size * sizeof(worker));
    if (team == NULL) return NULL;
    team->size = size;
    team->cores = firn_cores_count();
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
    if (threads < 1) threads = firn_cores_count();
    return create(threads < MOST_THREADS ? threads : MOST_THREADS);
}

firn_team* firn_team_create_on(const firn_jobs* jobs, int width)
{
    firn_team* team = create(width < 1 ? 1 : width < MOST_THREADS ? width : MOST_THREADS);
    if (team != NULL) team->jobs = *jobs;
    return team;
}

void firn_team_destroy(firn_team* team)
{
    if (team == NULL) return;
    if (team->started > 1 && team->forks == atomic_load(&g_forks)) {
        team->ends = true;
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
