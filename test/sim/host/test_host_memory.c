// SPDX-License-Identifier: MIT
// The program's allocator: it serves every block, gets each back with its size, and may fail at any
// call. A test runs in a process of its own, so that no other test holds memory.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "collider_at.h"
#include "firn/firn.h"
#include "firn/play.h"
#include "firn_test.h"

// In front of each block: what was asked for.
typedef struct mark {
    size_t bytes, magic;
} mark;
#define MAGIC 0x706c6f77u
#define FRONT 64

typedef struct heap {
    atomic_llong blocks, bytes;  // held
    atomic_llong calls;
    long long fail_at;  // this call gives null; 0: none
    atomic_int mistakes;
} heap;

static void* allocate(void* user, size_t bytes, size_t alignment)
{
    heap* h = user;
    if (atomic_fetch_add(&h->calls, 1) + 1 == h->fail_at) return NULL;
    if (alignment != FRONT || bytes == 0) atomic_fetch_add(&h->mistakes, 1);
    char* raw = aligned_alloc(FRONT, FRONT + (bytes + FRONT - 1) / FRONT * FRONT);
    if (raw == NULL) return NULL;
    *(mark*)raw = (mark){bytes, MAGIC};
    memset(raw + FRONT, 0xcd, bytes);  // firn does not rely on zeros
    atomic_fetch_add(&h->blocks, 1);
    atomic_fetch_add(&h->bytes, (long long)bytes);
    return raw + FRONT;
}

static void release(void* user, void* block, size_t bytes)
{
    heap* h = user;
    mark* m = (mark*)((char*)block - FRONT);
    if (m->magic != MAGIC || m->bytes != bytes) atomic_fetch_add(&h->mistakes, 1);
    m->magic = 0;
    atomic_fetch_sub(&h->blocks, 1);
    atomic_fetch_sub(&h->bytes, (long long)bytes);
    free(m);
}

#define SCENE                                                                 \
    "time: {frames: 2, fps: 500}\n"                                           \
    "snow:\n  - shape: {sphere: {center: [0, 0.1, 0], radius: 0.1}}\n"        \
    "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n" \
    "  - shape: {box: {center: [1, 0, 0], size: [1, 1, 1]}}\n"
static const char* const scenes[] = {
    "firn: 1\nsolver: mpm\nmpm: {cell: 0.05}\n" SCENE,
    "firn: 1\nsolver: sph\nsph: {spacing: 0.04}\n" SCENE,
    "firn: 1\nsolver: grains\ngrains: {radius: 0.03}\n" SCENE,
};

// The first failure among the calls of a small program. A call that does without memory that it
// could use (threads, triangles of a body that is not shown) may succeed.
static firn_result use_firn(const char* text)
{
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_scene_info info;
    firn_field_view view;
    firn_body_mesh mesh;
    firn_sim_def def = firn_default_sim_def();
    def.threads = 2;
    firn_result r = firn_scene_create(&scene);
    if (r == FIRN_OK) r = firn_scene_load_text(scene, text, "memory", NULL);
    if (r == FIRN_OK) r = firn_scene_check(scene, 2, &info);
    if (r == FIRN_OK) r = firn_sim_create(scene, &def, &sim, NULL);
    for (int f = 0; f < 2 && r == FIRN_OK; f++) r = firn_sim_frame(sim);
    if (r == FIRN_OK) r = firn_sim_field(sim, "position", &view);
    if (r == FIRN_OK) r = firn_sim_body_mesh(sim, collider_at(sim, 1), &mesh, NULL);
    if (r == FIRN_OK) firn_body_mesh_free(&mesh);
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return r;
}

static void all_is_given_back(void** state)
{
    (void)state;
    static heap h;
    const firn_allocator mine = {allocate, release, &h};
    assert_int_equal(firn_set_allocator(&mine), FIRN_OK);
    for (int s = 0; s < 3; s++) {
        const long long before = h.calls;
        assert_int_equal(use_firn(scenes[s]), FIRN_OK);
        assert_greater(h.calls, before + 20);
        assert_int_equal(h.blocks, 0);
        assert_int_equal(h.bytes, 0);
    }
    assert_int_equal(h.mistakes, 0);
    assert_int_equal(firn_set_allocator(NULL), FIRN_OK);
    const long long calls = h.calls;
    assert_int_equal(use_firn(scenes[0]), FIRN_OK);
    assert_int_equal(h.calls, calls);
}

// The k-th call fails: the program hears of it, nothing is lost, and the next attempt succeeds.
static void any_call_may_fail(void** state)
{
    (void)state;
    static heap h;
    const firn_allocator mine = {allocate, release, &h};
    assert_int_equal(firn_set_allocator(&mine), FIRN_OK);
    const int tries[] = {100, 40, 8};  // grains: each packs grains for half a second first
    for (int s = 0; s < 3; s++) {
        h.fail_at = 0;
        h.calls = 0;
        assert_int_equal(use_firn(scenes[s]), FIRN_OK);
        const long long all = h.calls;
        int failed = 0, tried = 0;
        const long long apart = 1 + all / tries[s];
        for (long long k = 1; k <= all; k += apart, tried++) {
            h.calls = 0;
            h.fail_at = k;
            const firn_result r = use_firn(scenes[s]);
            if (r != FIRN_OK && r != FIRN_BROKEN_MEMORY)
                fail_msg("call %lld of the allocator failed: result %d", k, (int)r);
            failed += r == FIRN_BROKEN_MEMORY;
            assert_int_equal(h.blocks, 0);
        }
        assert_greater(failed, tried / 2);
    }
    assert_int_equal(h.mistakes, 0);
    assert_int_equal(firn_set_allocator(NULL), FIRN_OK);
}

static void refused_while_memory_is_held(void** state)
{
    (void)state;
    static heap h;
    const firn_allocator mine = {allocate, release, &h}, none = {0}, half = {allocate, NULL, &h};
    assert_int_equal(firn_set_allocator(&none), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_set_allocator(&half), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_last_error(), "no function `release`");
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_set_allocator(&mine), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_last_error(), "firn holds memory");
    firn_scene_destroy(scene);
    assert_int_equal(h.calls, 0);
    assert_int_equal(firn_set_allocator(&mine), FIRN_OK);
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_greater(h.calls, 0);
    assert_int_equal(firn_set_allocator(NULL), FIRN_REFUSED_ARGUMENT);
    firn_scene_destroy(scene);
    assert_int_equal(firn_set_allocator(NULL), FIRN_OK);
}

int test_host_memory(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_is_given_back),
                                       cmocka_unit_test(any_call_may_fail),
                                       cmocka_unit_test(refused_while_memory_is_held)};
    return cmocka_run_group_tests_name("host_memory", tests, NULL, NULL);
}
