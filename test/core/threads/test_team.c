// SPDX-License-Identifier: MIT
// The team: every item once, for any count, grain and size; nested loops; job systems; forks;
// budgets; processor time while waiting.
#include "core/threads/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/threads/atomics.h"
#include "firn_test.h"

#define MOST 5000

#if defined(__SANITIZE_THREAD__)
#define RACES_ARE_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RACES_ARE_WATCHED 1
#endif
#endif
#ifndef RACES_ARE_WATCHED
#define RACES_ARE_WATCHED 0
#endif

static unsigned char g_times[MOST];  // how often an item was seen
static int64_t g_sum;
static firn_local g_least;

static void mark(const void* self, firn_local begin, firn_local end)
{
    assert_ptr_equal(self, g_times);
    for (firn_local i = begin; i < end; i++) {
        g_times[i]++;
        firn_atomic_add(&g_sum, i);
        firn_atomic_min(&g_least, i);
    }
}

static void check_loop(firn_local count, firn_local grain)
{
    memset(g_times, 0, sizeof g_times);
    g_sum = 0;
    g_least = MOST;
    firn_share(count, grain, mark, g_times);
    for (firn_local i = 0; i < MOST; i++) assert_int_equal(g_times[i], i < count);
    assert_int_equal(g_sum, (int64_t)count * (count - 1) / 2);
    assert_int_equal(g_least, count > 0 ? 0 : MOST);
}

static void check_loops(void)
{
    const firn_local counts[] = {0, 1, 2, 3, 15, 16, 17, 100, 1000, MOST};
    const firn_local grains[] = {0, 1, 7, 64, MOST};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t g = 0; g < sizeof grains / sizeof *grains; g++)
            check_loop(counts[c], grains[g]);
}

static void every_item_once(void** state)
{
    (void)state;
    check_loops();  // without a team
    const int sizes[] = {1, 2, 3, 7, 32};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        firn_team* team = firn_team_create(sizes[k]);
        assert_non_null(team);
        assert_null(firn_team_use(team));
        assert_int_equal(firn_team_size(), sizes[k]);
        for (int round = 0; round < 20; round++) check_loops();
        assert_ptr_equal(firn_team_use(NULL), team);
        firn_team_destroy(team);
    }
    firn_team_destroy(NULL);
}

// Loops of a few items, one after the other: workers come late, fall asleep, are called off.
static void many_small_loops(void** state)
{
    (void)state;
    firn_team* team = firn_team_create(3);
    firn_team_use(team);
    for (int round = 0; round < 20000; round++) {
        memset(g_times, 0, 6);
        firn_share(6, 1, mark, g_times);
        for (int i = 0; i < 6; i++) assert_int_equal(g_times[i], 1);
        if (round % 1000 == 0) nanosleep(&(struct timespec){0, 300000}, NULL);
    }
    firn_team_use(NULL);
    firn_team_destroy(team);
}

typedef struct rows {
    int64_t sums[64];  // [worker]
    atomic_int inside[64];
    int size;
} rows;

static void add_column(const void* self, firn_local begin, firn_local end)
{
    rows* r = (rows*)(uintptr_t)self;
    const int worker = firn_team_worker();
    assert_in_range(worker, 0, r->size - 1);
    for (firn_local i = begin; i < end; i++) r->sums[worker] += i;
}

static void add_row(const void* self, firn_local begin, firn_local end)
{
    rows* r = (rows*)(uintptr_t)self;
    const int worker = firn_team_worker();
    assert_int_equal(atomic_fetch_add(&r->inside[worker], 1), 0);  // one thread at a time
    for (firn_local i = begin; i < end; i++) firn_share(100, 1, add_column, r);
    assert_int_equal(firn_team_worker(), worker);
    atomic_fetch_sub(&r->inside[worker], 1);
}

static int64_t nested_sum(int size)
{
    static rows r;
    memset(&r, 0, sizeof r);
    r.size = size;
    firn_share(200, 1, add_row, &r);
    int64_t sum = 0;
    for (int k = 0; k < size; k++) sum += r.sums[k];
    return sum;
}

static void loops_inside_parts(void** state)
{
    (void)state;
    firn_team* team = firn_team_create(4);
    firn_team_use(team);
    for (int round = 0; round < 50; round++) assert_int_equal(nested_sum(4), 200 * 4950);
    firn_team_use(NULL);
    firn_team_destroy(team);
}

static int g_jobs;

static void backwards(void* user, int count, void (*job)(void* context, int k), void* context)
{
    assert_string_equal(user, "jobs");
    for (int k = count - 1; k >= 0; k--, g_jobs++) job(context, k);
}

static void on_a_job_system(void** state)
{
    (void)state;
    const firn_jobs jobs = {backwards, "jobs", 5};
    firn_team* team = firn_team_create_on(&jobs);
    firn_team_use(team);
    check_loops();
    assert_int_equal(nested_sum(5), 200 * 4950);
    assert_true(g_jobs > 5);
    firn_team_use(NULL);
    firn_team_destroy(team);
}

// Two threads of a program, each with its own team, and a third that borrows the first's.
static void* loops_of_a_thread(void* self)
{
    firn_team_use(self);
    int64_t sum = 0;
    static _Thread_local rows r;
    r.size = 2;
    for (int round = 0; round < 200; round++) {
        memset(&r.sums, 0, sizeof r.sums);
        firn_share(1000, 1, add_column, &r);
        sum += r.sums[0] + r.sums[1];
    }
    firn_team_use(NULL);
    assert_int_equal(sum, 200 * (int64_t)499500);
    return NULL;
}

static void several_callers(void** state)
{
    (void)state;
    firn_team* teams[] = {firn_team_create(2), firn_team_create(2)};
    pthread_t threads[3];
    for (int k = 0; k < 3; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, loops_of_a_thread, teams[k % 2]), 0);
    for (int k = 0; k < 3; k++) pthread_join(threads[k], NULL);
    for (int k = 0; k < 2; k++) firn_team_destroy(teams[k]);
}

// The child has none of the threads; it starts its own.
static void after_a_fork(void** state)
{
    (void)state;
    if (RACES_ARE_WATCHED) skip();  // the sanitizer does not support threads after a fork
    firn_team* team = firn_team_create(3);
    firn_team_use(team);
    check_loop(MOST, 1);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        check_loop(MOST, 1);
        firn_team_use(NULL);
        firn_team_destroy(team);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    check_loop(MOST, 1);
    firn_team_use(NULL);
    firn_team_destroy(team);
}

static void allocate(const void* self, firn_local begin, firn_local end)
{
    void** blocks = (void**)(uintptr_t)self;
    for (firn_local i = begin; i < end; i++) blocks[i] = firn_alloc(1000, 1);
}

static void parts_use_the_callers_budget(void** state)
{
    (void)state;
    static void* blocks[100];
    firn_memory_budget* budget = firn_memory_budget_create(0);
    firn_team* team = firn_team_create(4);
    firn_team_use(team);
    firn_memory_use(budget);
    firn_share(100, 1, allocate, blocks);
    firn_memory_use(NULL);
    assert_true(firn_memory_budget_bytes(budget) >= 100000);
    for (int k = 0; k < 100; k++) firn_free(blocks[k]);
    assert_int_equal(firn_memory_budget_bytes(budget), 0);
    firn_memory_budget_release(budget);
    firn_team_use(NULL);
    firn_team_destroy(team);
}

static double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

// Workers that have nothing to do use no processor time: at most the 50 microseconds of spinning
// and some for waking, each of 100 times, which is 15 ms; spinning all the time would take 900 ms.
static void waiting_is_sleeping(void** state)
{
    (void)state;
    firn_team* team = firn_team_create(4);
    firn_team_use(team);
    check_loop(MOST, 1);
    const double before = cpu_seconds();
    for (int k = 0; k < 100; k++) {
        firn_share(4, 1, mark, g_times);
        nanosleep(&(struct timespec){0, 3000000}, NULL);
    }
    const double used = cpu_seconds() - before;
    if (used > 0.1) fail_msg("%.3f s of processor time for 300 ms of waiting", used);
    firn_team_use(NULL);
    firn_team_destroy(team);
}

static int64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void spend(const void* ns, firn_local begin, firn_local end)
{
    for (firn_local i = begin; i < end; i++)
        for (const int64_t until = clock_ns() + *(const int64_t*)ns; clock_ns() < until;) {}
}

// Work between loops counts once, work in parts for each worker that does it, waiting never.
static void watched_work(void** state)
{
    (void)state;
    const int64_t item = 1000000;  // [ns]
    for (int size = 1; size <= 3; size++) {
        firn_team* team = firn_team_create(size);
        assert_non_null(team);
        firn_team_use(team);
        const int64_t start = clock_ns();
        firn_team_watch(team);
        spend(&item, 0, 5);
        const double alone = firn_team_busy(team);
        firn_share(10, 1, spend, &item);
        const double busy = firn_team_busy(team), wall = 1e-9 * (double)(clock_ns() - start);
        assert_at_least(alone, 5e-9 * (double)item);
        assert_at_least(busy - alone, 10e-9 * (double)item);
        assert_at_most(busy, size * wall);
        firn_team_destroy(team);
    }
}

int test_team(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_once),
        cmocka_unit_test(many_small_loops),
        cmocka_unit_test(loops_inside_parts),
        cmocka_unit_test(on_a_job_system),
        cmocka_unit_test(several_callers),
        cmocka_unit_test(after_a_fork),
        cmocka_unit_test(parts_use_the_callers_budget),
        cmocka_unit_test(waiting_is_sleeping),
        cmocka_unit_test(watched_work),
    };
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
