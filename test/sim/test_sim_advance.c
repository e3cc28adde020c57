// SPDX-License-Identifier: MIT
// Rollbacks: a frame that is computed again is, bit for bit, the frame that the same steps would
// have given without the trouble, whatever order the particles were in when it came.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "particles_copy.h"
#include "sim/sim.h"

// Two kinds of snow, each varied from particle to particle, so that a constant on the wrong
// particle changes the result; thrown at a slant, so that the particles change their order.
static const char scene_text[] =
    "firn: 1\n"
    "solver: mpm\n"
    "time: {frames: 4, fps: 600}\n"
    "mpm: {cell: 0.02, integrator: explicit, transfer: TRANSFER}\n"
    "materials: {soft: {young: 5e4}, heavy: {density: 600}}\n"
    "snow:\n"
    "  - shape: {sphere: {center: [0, 0.06, 0], radius: 0.05}}\n"
    "    material: soft\n"
    "    velocity: [9, -12, 4]\n"
    "    vary:\n"
    "      stiffness: {noise: {scale: 0.02, amount: 0.5, octaves: 2, seed: 7}}\n"
    "      hardening: {noise: {scale: 0.03, amount: 0.5, octaves: 2, seed: 8}}\n"
    "      shell: {thickness: 0.02, density: 1.5, stretch: 2, compression: 0.5}\n"
    "  - shape: {sphere: {center: [0.12, 0.06, 0], radius: 0.05}}\n"
    "    material: heavy\n"
    "    velocity: [-9, -3, 0]\n"
    "colliders:\n"
    "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n";

static firn_sim* start(const char* transfer, const char* solver, int threads)
{
    char text[sizeof scene_text + 32];
    const char* place = strstr(scene_text, "TRANSFER");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(place - scene_text), scene_text, transfer,
             place + strlen("TRANSFER"));
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_load_def load = firn_default_load_def();
    load.solver = solver;
    static const char* const several_steps[] = {"ballistic.dt=2e-4"};
    load.overrides = several_steps;
    load.override_count = strcmp(solver, "ballistic") == 0;
    if (firn_scene_load_text(scene, text, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    firn_sim* sim;
    firn_error error;
    def.threads = threads;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

static void frames(firn_sim* sim, int count)
{
    for (int f = 0; f < count; f++)
        if (firn_sim_frame(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
}

static const void* field(firn_sim* sim, const char* name)
{
    const firn_field* f = firn_particles_find(sim->solver->particles(sim->self), name);
    assert_non_null(f);
    return f->data;
}

// Steps until the particles stand in another order than at the start of the frame.
static void step_until_reordered(firn_sim* sim)
{
    const firn_local count = sim->solver->particles(sim->self)->count;
    const size_t size = (size_t)count * sizeof(uint32_t);
    uint32_t* before = firn_alloc((size_t)count, sizeof *before);
    assert_non_null(before);
    memcpy(before, field(sim, "id"), size);
    const int64_t frame = sim->frame;
    do assert_int_equal(firn_sim_step(sim), FIRN_OK);
    while (memcmp(before, field(sim, "id"), size) == 0 && sim->frame == frame);
    assert_int_equal(sim->frame, frame);
    firn_free(before);
}

static void damage(firn_sim* sim)
{
    ((firn_vec3*)field(sim, "velocity"))[5].y = (firn_real)NAN;
}

static void the_same_as_without_trouble(const char* transfer, const char* solver, int whole_frames)
{
    firn_sim* a = start(transfer, solver, 1);
    firn_sim* b = start(transfer, solver, 1);
    frames(a, whole_frames);
    frames(b, whole_frames);
    const uint64_t hash = firn_sim_hash(b);
    assert_equal(firn_sim_hash(a), hash);
    if (strcmp(solver, "mpm") == 0)
        step_until_reordered(a);
    else  // it never changes the order
        assert_int_equal(firn_sim_step(a), FIRN_OK);
    damage(a);
    assert_int_equal(firn_sim_step(a), FIRN_OK);
    assert_int_equal(firn_sim_read(a).rollbacks, 1);
    assert_equal(firn_sim_hash(a), hash);  // as the frame began
    b->dt_scale = 0.5;                     // what the rollback has set, without one
    frames(a, 1);
    frames(b, 1);
    assert_equal(firn_sim_hash(a), firn_sim_hash(b));
    firn_sim_destroy(a);
    firn_sim_destroy(b);
}

static void rollbacks_give_the_same_bits(void** state)
{
    (void)state;
    // at frame 0 volumes that the first step has found must go, and those of the seeds must stay
    the_same_as_without_trouble("flip, volumes: grid", "mpm", 0);
    for (int frame = 0; frame < 3; frame += FIRN_TEST_SANITIZED ? 2 : 1) {
        the_same_as_without_trouble("flip", "mpm", frame);
        the_same_as_without_trouble("apic", "mpm", frame);
        the_same_as_without_trouble("flip", "ballistic", frame);
    }
}

// What stays constant by the solver's word does stay constant.
static void constants_are_constant(void** state)
{
    (void)state;
    firn_sim* sim = start("apic", "mpm", 1);
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    firn_particles before = {0};
    const firn_particles* now = sim->solver->particles(sim->self);
    assert_int_equal(copy_particles(&before, now), FIRN_OK);
    frames(sim, 3);
    firn_local* place = firn_alloc((size_t)now->count, sizeof *place);
    assert_non_null(place);
    for (firn_local p = 0; p < now->count; p++) place[((const uint32_t*)field(sim, "id"))[p]] = p;
    const uint32_t* id = firn_particles_find(&before, "id")->data;
    int constants = 0;
    for (int f = 0; f < now->field_count; f++) {
        if (now->fields[f].changes == FIRN_CHANGES_ALWAYS) continue;
        constants++;
        const size_t size = now->fields[f].size;
        for (firn_local p = 0; p < now->count; p++)
            assert_memory_equal((const char*)before.fields[f].data + (size_t)p * size,
                                (const char*)now->fields[f].data + (size_t)place[id[p]] * size,
                                size);
    }
    assert_int_equal(constants, 8);  // of mpm with varied snow
    firn_free(place);
    firn_particles_destroy(&before);
    firn_sim_destroy(sim);
}

// No memory for a rollback: an error that says so, and the simulation ends.
static void no_memory_to_go_back(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_sim* sim = start("flip", "mpm", 1);
    frames(sim, 1);
    step_until_reordered(sim);
    damage(sim);
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_sim_step(sim), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
    assert_contains(firn_sim_error(sim), "out of memory for rolling back to frame 1");
    assert_less(firn_sim_step(sim), 0);
    firn_sim_destroy(sim);
    assert_int_equal(firn_memory_read().bytes, before);
}

int test_sim_advance(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rollbacks_give_the_same_bits),
                                       cmocka_unit_test(constants_are_constant),
                                       cmocka_unit_test(no_memory_to_go_back)};
    return cmocka_run_group_tests_name("sim_advance", tests, NULL, NULL);
}
