// SPDX-License-Identifier: MIT
// Step 5: a program with a job system of its own lets it run firn's loops, so that firn starts no
// threads; the state is the same bit by bit as with firn's own threads.
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "firn/firn.h"

#define WORKERS 3

// ---- a small job system, as an engine has a better one ----------------------------------------

typedef struct job_system {
    pthread_t threads[WORKERS];
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    void (*job)(void* context, int k);
    void* context;
    int count, next, done;  // jobs: all, the next to take, those that have returned
    long long total;        // jobs since the start
    bool ends;
} job_system;

// Runs one job, if there is one. Called with the mutex locked.
static bool run_one(job_system* s)
{
    if (s->next == s->count) return false;
    const int k = s->next++;
    pthread_mutex_unlock(&s->mutex);
    s->job(s->context, k);
    pthread_mutex_lock(&s->mutex);
    s->total++;
    if (++s->done == s->count) pthread_cond_broadcast(&s->changed);
    return true;
}

static void* work(void* self)
{
    job_system* s = self;
    pthread_mutex_lock(&s->mutex);
    while (!s->ends)
        if (!run_one(s)) pthread_cond_wait(&s->changed, &s->mutex);
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

static bool start(job_system* s)
{
    *s = (job_system){.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    for (int k = 0; k < WORKERS; k++)
        if (pthread_create(&s->threads[k], NULL, work, s) != 0) return false;
    return true;
}

static void stop(job_system* s)
{
    pthread_mutex_lock(&s->mutex);
    s->ends = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
    for (int k = 0; k < WORKERS; k++) pthread_join(s->threads[k], NULL);
}

// ---- what firn needs of it: run `count` jobs, return when all have returned ---------------------

static void run_jobs(void* user, int count, void (*job)(void* context, int k), void* context)
{
    job_system* s = user;
    pthread_mutex_lock(&s->mutex);
    s->job = job;
    s->context = context;
    s->next = s->done = 0;
    s->count = count;
    pthread_cond_broadcast(&s->changed);
    while (run_one(s)) {}  // this thread takes part
    while (s->done < s->count) pthread_cond_wait(&s->changed, &s->mutex);
    s->next = s->count = 0;
    pthread_mutex_unlock(&s->mutex);
}

// ---- the program --------------------------------------------------------------------------------

// A snowball that flies into the ground. False: see firn_scene_messages.
static bool build(firn_scene* scene)
{
    const firn_vec3 origin = {0, 0, 0}, up = {0, 1, 0}, center = {0, 0.3f, 0};
    firn_snow_def snow = firn_default_snow_def();
    firn_collider_def ground = firn_default_collider_def();
    firn_material_def packed = firn_default_material_def();
    snow.velocity = (firn_vec3){2, -3, 0};
    return firn_scene_set(scene, "solver", "grains") == FIRN_OK &&
           firn_scene_set(scene, "grains.radius", "0.015") == FIRN_OK &&
           firn_scene_plane(scene, origin, up, &ground.shape) == FIRN_OK &&
           firn_scene_add_collider(scene, &ground, NULL) == FIRN_OK &&
           firn_scene_sphere(scene, center, 0.2f, &snow.shape) == FIRN_OK &&
           firn_scene_add_material(scene, &packed, &snow.material) == FIRN_OK &&
           firn_scene_add_snow(scene, &snow, NULL) == FIRN_OK;
}

// The state hash after four frames; 0: failed. `jobs` null: firn's own threads.
static uint64_t simulate(const firn_jobs* jobs)
{
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_error error = {0};
    firn_sim_def def = firn_default_sim_def();
    def.jobs = jobs;
    if (firn_scene_create(&scene) != FIRN_OK) return 0;
    // the calls that build a scene have loops too: shapes from meshes and text, checks
    if (firn_scene_set_threads(scene, 0, jobs) != FIRN_OK || !build(scene))
        fputs(firn_scene_messages(scene), stderr);
    firn_result r = firn_sim_create(scene, &def, &sim, &error);
    if (r != FIRN_OK) fprintf(stderr, "%s\n", error.text);
    for (int frame = 0; frame < 4 && r == FIRN_OK; frame++)
        if ((r = firn_sim_advance_by(sim, 1.0 / 60, 0, NULL)) != FIRN_OK)
            fprintf(stderr, "%s\n", firn_sim_error(sim));
    const uint64_t hash = r == FIRN_OK ? firn_sim_hash(sim) : 0;
    if (r == FIRN_OK)
        printf("%s, %d at a time: %d grains, state %016" PRIx64 "\n",
               jobs != NULL ? "jobs" : "threads of firn", firn_sim_read(sim).threads,
               (int)firn_sim_read(sim).particle_count, hash);
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return hash;
}

int main(void)
{
    static job_system system;
    if (!start(&system)) return 1;
    const firn_jobs jobs = {.run = run_jobs, .user = &system, .width = WORKERS + 1};
    const uint64_t with_jobs = simulate(&jobs);
    stop(&system);
    const uint64_t with_threads = simulate(NULL);
    const bool same = with_jobs != 0 && with_jobs == with_threads;
    printf("%lld jobs; the states are %s\n", system.total, same ? "the same" : "different");
    return same && system.total > 0 ? 0 : 1;
}
