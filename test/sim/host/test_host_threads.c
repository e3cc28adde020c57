// SPDX-License-Identifier: MIT
// The same bits on own threads, on the program's job system and on the calling thread alone; no
// thread is started that the program did not ask for.
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "firn/firn.h"
#include "firn_test.h"

#define WORKERS 3
// What host.h says that jobs need; sanitizers put more on the stack.
#define STACK_BYTES ((FIRN_TEST_SANITIZED ? 8192 : 256) << 10)

// A small job system: the workers and the thread that calls take jobs from one counter.
typedef struct pool {
    pthread_t threads[WORKERS];
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    void (*job)(void* context, int k);
    void* context;
    int count, next, done;  // jobs: all, the next to take, those that have returned
    int calls;
    bool ends;
} pool;

// Takes one job, with the mutex locked; false: none is left.
static bool take(pool* p)
{
    if (p->next >= p->count) return false;
    const int k = p->next++;
    pthread_mutex_unlock(&p->mutex);
    p->job(p->context, k);
    pthread_mutex_lock(&p->mutex);
    if (++p->done == p->count) pthread_cond_broadcast(&p->changed);
    return true;
}

static void* live(void* self)
{
    pool* p = self;
    pthread_mutex_lock(&p->mutex);
    while (!p->ends)
        if (!take(p)) pthread_cond_wait(&p->changed, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

static void run_on_pool(void* user, int count, void (*job)(void* context, int k), void* context)
{
    pool* p = user;
    pthread_mutex_lock(&p->mutex);
    p->job = job;
    p->context = context;
    p->next = p->done = 0;
    p->count = count;
    p->calls++;
    pthread_cond_broadcast(&p->changed);
    while (take(p)) {}
    while (p->done < p->count) pthread_cond_wait(&p->changed, &p->mutex);
    p->count = 0;
    pthread_mutex_unlock(&p->mutex);
}

static void start(pool* p)
{
    *p = (pool){.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK_BYTES), 0);
    for (int k = 0; k < WORKERS; k++)
        assert_int_equal(pthread_create(&p->threads[k], &attributes, live, p), 0);
    pthread_attr_destroy(&attributes);
}

static void stop(pool* p)
{
    pthread_mutex_lock(&p->mutex);
    p->ends = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->mutex);
    for (int k = 0; k < WORKERS; k++) pthread_join(p->threads[k], NULL);
}

static void forwards(void* user, int count, void (*job)(void* context, int k), void* context)
{
    ++*(int*)user;
    for (int k = 0; k < count; k++) job(context, k);
}

static void backwards(void* user, int count, void (*job)(void* context, int k), void* context)
{
    ++*(int*)user;
    for (int k = count - 1; k >= 0; k--) job(context, k);
}

static int thread_count(void)
{
    int count = 0;
    DIR* tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    while (readdir(tasks) != NULL) count++;
    closedir(tasks);
    return count - 2;  // . and ..
}

#define SCENE                                                                             \
    "snow:\n  - shape: {sphere: {center: [0, 0.3, 0], radius: 0.15}}\n    velocity: [1, " \
    "-3, 0]\n"                                                                            \
    "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
static const char* const scenes[] = {
    "firn: 1\nsolver: mpm\ntime: {frames: 1, fps: 100}\nmpm: {cell: 0.02}\n" SCENE,
    "firn: 1\nsolver: sph\ntime: {frames: 1, fps: 100}\nsph: {spacing: 0.02}\n" SCENE,
    "firn: 1\nsolver: grains\ntime: {frames: 2, fps: 200}\ngrains: {radius: 0.01}\n" SCENE,
};

static firn_scene* load(const char* text, int threads, const firn_jobs* jobs)
{
    firn_scene* scene;
    firn_scene_info info;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_scene_set_threads(scene, threads, jobs), FIRN_OK);
    if (firn_scene_load_text(scene, text, "host", NULL) != FIRN_OK ||
        firn_scene_check(scene, 0, &info) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    return scene;
}

// Hash after the frames; *out_threads: how many the simulation added to the process.
static uint64_t hash_of(const char* text, int threads, const firn_jobs* jobs, int* out_threads)
{
    const int before = thread_count();
    firn_scene* scene = load(text, threads, jobs);
    firn_sim_def def = firn_default_sim_def();
    def.threads = threads;
    def.jobs = jobs;
    firn_sim* sim = NULL;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_info info;
    assert_int_equal(firn_scene_check(scene, 0, &info), FIRN_OK);
    firn_scene_destroy(scene);
    for (int64_t f = 0; f < info.frames; f++)
        if (firn_sim_frame(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    *out_threads = thread_count() - before;
    if (jobs != NULL) assert_int_equal(firn_sim_read(sim).threads, jobs->width);
    const uint64_t hash = firn_sim_hash(sim);
    assert_int_not_equal(hash, 0);
    firn_sim_destroy(sim);
    return hash;
}

static void same_bits(void** state)
{
    (void)state;
    static pool p;
    start(&p);
    int in_order = 0, reversed = 0;
    const firn_jobs systems[] = {{run_on_pool, &p, WORKERS + 1},
                                 {forwards, &in_order, 5},
                                 {backwards, &reversed, 3},
                                 {run_on_pool, &p, 64}};  // more jobs than threads
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        int threads;
        const uint64_t alone = hash_of(scenes[s], 1, NULL, &threads);
        assert_int_equal(threads, 0);
        assert_true(hash_of(scenes[s], 2, NULL, &threads) == alone);
        for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
            assert_true(hash_of(scenes[s], 0, &systems[k], &threads) == alone);
            assert_int_equal(threads, 0);
        }
    }
    stop(&p);
    assert_greater(p.calls, 100);  // all of these did take part
    assert_greater(in_order, 100);
    assert_greater(reversed, 100);
}

// Loading and checking, without a simulation.
static void scenes_on_jobs(void** state)
{
    (void)state;
    int calls = 0;
    const firn_jobs jobs = {forwards, &calls, 4};
    firn_scene* scene = load(scenes[0], 0, &jobs);
    assert_greater(calls, 0);
    firn_scene_info info;
    assert_int_equal(firn_scene_check(scene, 0, &info), FIRN_OK);
    assert_int_equal(info.threads, 4);
    assert_int_equal(firn_scene_check(scene, 7, &info), FIRN_OK);  // what the estimate is for
    assert_int_equal(info.threads, 7);
    assert_int_equal(firn_scene_set_threads(scene, 1, NULL), FIRN_OK);
    calls = 0;
    assert_int_equal(firn_scene_check(scene, 0, &info), FIRN_OK);
    assert_int_equal(info.threads, 1);
    assert_int_equal(calls, 0);
    firn_scene_destroy(scene);
}

static void bad_jobs(void** state)
{
    (void)state;
    int calls = 0;
    const firn_jobs good = {forwards, &calls, 4}, no_run = {NULL, &calls, 4},
                    no_width = {forwards, &calls, 0}, too_wide = {forwards, &calls, 5000};
    const firn_jobs* const bad[] = {&no_run, &no_width, &too_wide};
    const char* const text[] = {"no function `run`", "width = 0", "width = 5000"};
    firn_scene* scene = load(scenes[0], 0, &good);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(firn_scene_set_threads(scene, 0, bad[k]), FIRN_REFUSED_ARGUMENT);
        assert_contains(firn_scene_messages(scene), text[k]);
        firn_sim_def def = firn_default_sim_def();
        def.jobs = bad[k];
        firn_sim* sim = NULL;
        firn_error error;
        assert_int_equal(firn_sim_create(scene, &def, &sim, &error), FIRN_REFUSED_ARGUMENT);
        assert_contains(error.text, text[k]);
        assert_null(sim);
    }
    assert_int_equal(firn_scene_set_threads(scene, -1, NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_scene_set_threads(scene, 5000, NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_scene_set_threads(NULL, 0, NULL), FIRN_REFUSED_ARGUMENT);
    calls = 0;
    firn_scene_info info;  // unchanged: still on the jobs
    assert_int_equal(firn_scene_check(scene, 0, &info), FIRN_OK);
    assert_int_equal(info.threads, 4);
    firn_scene_destroy(scene);
}

// Parent and child of a fork continue the same simulation to the same state.
static void after_a_fork(void** state)
{
    (void)state;
    int threads;
    const uint64_t expected = hash_of(scenes[2], 1, NULL, &threads);
    firn_scene* scene = load(scenes[2], 2, NULL);
    firn_sim_def def = firn_default_sim_def();
    def.threads = 2;
    firn_sim* sim = NULL;
    assert_int_equal(firn_sim_create(scene, &def, &sim, NULL), FIRN_OK);
    firn_scene_destroy(scene);
    assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) alarm(100);
    const bool good = firn_sim_frame(sim) == FIRN_OK && firn_sim_hash(sim) == expected;
    firn_sim_destroy(sim);
    if (child == 0) _exit(good ? 0 : 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(good);
}

int test_host_threads(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits),
                                       cmocka_unit_test(scenes_on_jobs), cmocka_unit_test(bad_jobs),
                                       cmocka_unit_test(after_a_fork)};
    return cmocka_run_group_tests_name("host_threads", tests, NULL, NULL);
}
