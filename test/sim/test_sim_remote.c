// SPDX-License-Identifier: MIT
// Particles that live on a device, with a fake device: a CPU solver whose arrays are copied away
// after every step and overwritten. Reading them without a fetch gives garbage; with a fetch they
// are bitwise those of the CPU.
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "firn_test.h"
#include "particles_copy.h"
#include "sim/sim.h"

static const char scene_text[] = "firn: 1\n"
                                 "solver: mpm\n"
                                 "time: {frames: 4, fps: 200}\n"
                                 "mpm: {cell: 0.02, dt_max: 0.001}\n"
                                 "snow:\n"
                                 "  - shape: {sphere: {center: [0, 0.06, 0], radius: 0.05}}\n"
                                 "    velocity: [3, -2, 0]\n"
                                 "colliders:\n"
                                 "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
                                 "cull: {below: 0.03}\n"
                                 "render: {width: 64, height: 48}\n"
                                 "output: {preview: true, film: false, points: [vtkhdf, ply], "
                                 "checkpoint: {every: 2}, fields: [velocity, "
                                 "density, id, mass, plastic_volume]}\n";

// The device: what it holds, what was announced to it, and when it must fail.
static struct {
    const firn_solver* real;
    bool is_remote;
    bool holds;           // `now` is the state; else the host's arrays are
    firn_particles now;   // owned, as `kept`
    firn_particles kept;  // the snapshot
    bool expected;
    double time, limit, scale;  // of the step that is expected
    int steps, fetches, takes, restores, expectations;
    int diverge_at;                            // this step, counted from 1, diverges once
    bool fail_fetch, fail_take, fail_restore;  // say so instead
} device;

static void copy(firn_particles* to, const firn_particles* from)
{
    if (to->field_count == 0) {
        *to = *from;
        to->count = to->capacity = 0;
        to->spare = NULL;
        for (int f = 0; f < to->field_count; f++) to->fields[f].data = NULL;
    }
    assert_int_equal(copy_particles(to, from), FIRN_OK);
}

static void spoil(firn_particles* p)
{
    for (int f = 0; f < p->field_count; f++)
        memset(p->fields[f].data, 0xff, (size_t)p->count * p->fields[f].size);
}

static bool remote(const void* self)
{
    (void)self;
    return device.is_remote;
}

static firn_local count(const void* self)
{
    return device.holds ? device.now.count : device.real->count(self);
}

static firn_result step(void* self, double time, double limit, double scale,
                        firn_step_report* report, firn_error* error)
{
    if (device.expected) {
        assert_equal(device.time, time);
        assert_equal(device.limit, limit);
        assert_equal(device.scale, scale);
    }
    device.expected = false;
    firn_particles* host = device.real->particles(self);
    if (device.holds) copy(host, &device.now);
    firn_result r = device.real->step(self, time, limit, scale, report, error);
    if (r == FIRN_OK && ++device.steps == device.diverge_at)
        r = firn_fail(error, FIRN_BROKEN_DIVERGED, "step %d was told to", device.steps);
    if (device.is_remote) {
        copy(&device.now, host);
        device.holds = true;
        spoil(r == FIRN_OK ? host : &device.now);
    }
    return r;
}

static firn_result extra_restore(void* self, const void* block, size_t size, firn_error* error)
{
    device.holds = device.expected = false;  // what the host's arrays hold counts
    return device.real->extra_restore(self, block, size, error);
}

static firn_result snapshot_take(void* self, firn_error* error)
{
    device.takes++;
    if (device.fail_take) return firn_fail(error, FIRN_BROKEN_MEMORY, "no room for a snapshot");
    copy(&device.kept, device.holds ? &device.now : device.real->particles(self));
    return FIRN_OK;
}

static firn_result snapshot_restore(void* self, firn_error* error)
{
    (void)self;
    device.restores++;
    assert_false(device.holds);  // extra_restore came first
    if (device.fail_restore) return firn_fail(error, FIRN_BROKEN_INTERNAL, "the device is gone");
    copy(&device.now, &device.kept);
    device.holds = true;
    return FIRN_OK;
}

static void expect(void* self, double time, double limit, double scale)
{
    (void)self;
    device.expected = true;
    device.expectations++;
    device.time = time;
    device.limit = limit;
    device.scale = scale;
}

static firn_result fetch(void* self, firn_error* error)
{
    device.fetches++;
    if (device.fail_fetch) return firn_fail(error, FIRN_BROKEN_INTERNAL, "the cable was pulled");
    if (device.holds) copy(device.real->particles(self), &device.now);
    return FIRN_OK;
}

static size_t device_bytes(const void* self)
{
    (void)self;
    return device.is_remote ? 4711 : 0;
}

static firn_solver wrapped;

static firn_sim* start(bool is_remote, const char* dir, bool resume, int64_t frame_end)
{
    firn_particles_destroy(&device.now);
    firn_particles_destroy(&device.kept);
    memset(&device, 0, sizeof device);
    device.is_remote = is_remote;
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    if (firn_scene_load_text(scene, scene_text, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.output_dir = dir;
    def.resume = resume;
    def.frame_end = frame_end;
    firn_sim* sim;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    device.real = sim->solver;
    wrapped = *sim->solver;
    wrapped.step = step;
    wrapped.count = count;
    wrapped.extra_restore = extra_restore;
    wrapped.remote = remote;
    wrapped.snapshot_take = snapshot_take;
    wrapped.snapshot_restore = snapshot_restore;
    wrapped.expect = expect;
    wrapped.fetch = fetch;
    wrapped.device_bytes = device_bytes;
    sim->solver = &wrapped;
    return sim;
}

static void run(firn_sim* sim)
{
    if (firn_sim_run(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
}

static uint64_t plain_hash(int diverge_at)
{
    firn_sim* sim = start(false, NULL, false, -1);
    device.diverge_at = diverge_at;
    run(sim);
    assert_equal(device.fetches, 0);
    assert_equal(device.takes, 0);
    assert_equal(device.expectations, 0);
    assert_equal(firn_sim_read(sim).device_bytes, 0);
    const uint64_t hash = firn_sim_hash(sim);
    firn_sim_destroy(sim);
    return hash;
}

static void same_file(const char* a, const char* b)
{
    char* text[2];
    size_t size[2];
    firn_error error;
    if (firn_file_read(a, 1 << 26, &text[0], &size[0], &error) != FIRN_OK ||
        firn_file_read(b, 1 << 26, &text[1], &size[1], &error) != FIRN_OK)
        fail_msg("%s", error.text);
    if (size[0] != size[1] || memcmp(text[0], text[1], size[0]) != 0)
        fail_msg("%s and %s differ", a, b);
    firn_free(text[0]);
    firn_free(text[1]);
}

#define PLAIN FIRN_TEST_TMP "/plain"
#define REMOTE FIRN_TEST_TMP "/remote"

// Every file of a run, its pictures and statistics, equals that of the CPU.
static void files_are_the_same(void** state)
{
    (void)state;
    firn_sim* sim = start(false, PLAIN, false, -1);
    run(sim);
    const int64_t culled = firn_sim_read(sim).culled;
    const uint64_t hash = firn_sim_hash(sim);
    firn_sim_destroy(sim);
    assert_greater(culled, 0);
    sim = start(true, REMOTE, false, -1);
    run(sim);
    const firn_sim_info info = firn_sim_read(sim);
    assert_equal(info.culled, culled);
    assert_equal(info.device_bytes, 4711);
    assert_equal(info.particle_count, device.now.count);
    assert_greater(device.now.count, 0);
    assert_equal(firn_sim_hash(sim), hash);
    // one snapshot before the first step and one per frame; each frame but the last is announced
    assert_int_equal(device.takes, 5);
    assert_int_equal(device.expectations, 3);
    assert_false(device.expected);
    assert_null(sim->snapshot.data[0]);  // the host keeps none
    firn_sim_destroy(sim);
    static const char* const names[] = {"frames/test.0000.hdf", "frames/test.0004.hdf",
                                        "ply/test.0003.ply", "preview/test.0004.png",
                                        "state/test.0004.h5"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char a[300], b[300];
        snprintf(a, sizeof a, PLAIN "/%s", names[k]);
        snprintf(b, sizeof b, REMOTE "/%s", names[k]);
        same_file(a, b);
    }
}

// A run that the CPU began goes on on the device, and the other way round.
static void resumes_across(void** state)
{
    (void)state;
    const uint64_t hash = plain_hash(0);
    for (int first = 0; first < 2; first++) {
        const char* dir = first ? FIRN_TEST_TMP "/to-cpu" : FIRN_TEST_TMP "/to-device";
        firn_sim* sim = start(first, dir, false, 2);
        run(sim);
        firn_sim_destroy(sim);
        sim = start(!first, dir, true, 4);
        run(sim);
        assert_greater(device.steps, 0);
        assert_equal(firn_sim_read(sim).frame, 4);
        assert_equal(firn_sim_hash(sim), hash);
        firn_sim_destroy(sim);
    }
}

// A frame is computed again from the device's own copy; what was expected is then another step.
static void rolls_back(void** state)
{
    (void)state;
    for (int at = 1; at < 12; at += 5) {
        const uint64_t hash = plain_hash(at);
        assert_not_equal(hash, plain_hash(0));
        firn_sim* sim = start(true, NULL, false, -1);
        device.diverge_at = at;
        run(sim);
        assert_equal(firn_sim_hash(sim), hash);
        assert_equal(device.restores, 1);
        assert_equal(firn_sim_read(sim).rollbacks, 1);
        firn_sim_destroy(sim);
    }
}

static void fields(void** state)
{
    (void)state;
    firn_sim* sim = start(true, NULL, false, -1);
    firn_field_view a, b;
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    const int before = device.fetches;
    assert_greater(firn_sim_field_count(sim), 0);
    assert_greater(firn_sim_read(sim).particle_count, 0);
    assert_int_equal(device.fetches, before);  // neither needs the particles
    assert_int_equal(firn_sim_field(sim, "position", &a), FIRN_OK);
    assert_equal(a.count, device.now.count);
    for (firn_local p = 0; p < a.count; p++) {
        const firn_vec3 x = ((const firn_vec3*)a.data)[p];
        assert_less(x.x * x.x + x.y * x.y + x.z * x.z, 1);  // not garbage
    }
    assert_int_equal(firn_sim_field_at(sim, 0, &b), FIRN_OK);
    assert_int_equal(firn_sim_field(sim, "no such field", &b), FIRN_REFUSED_NAME);
    firn_sim_destroy(sim);
}

// An error of the device is passed on with its message, wherever particles were requested.
static void failures(void** state)
{
    (void)state;
    firn_field_view view;
    firn_sim* sim = start(true, NULL, false, -1);
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    device.fail_fetch = true;
    assert_int_equal(firn_sim_field(sim, "position", &view), FIRN_BROKEN_INTERNAL);
    assert_int_equal(firn_sim_field_at(sim, 0, &view), FIRN_BROKEN_INTERNAL);
    assert_equal(firn_sim_hash(sim), 0);
    assert_contains(firn_sim_error(sim), "cable");
    firn_sim_destroy(sim);

    sim = start(true, FIRN_TEST_TMP "/failing", false, -1);
    device.fail_fetch = true;
    assert_int_equal(firn_sim_run(sim), FIRN_BROKEN_INTERNAL);
    assert_contains(firn_sim_error(sim), "cable");
    firn_sim_destroy(sim);

    sim = start(true, NULL, false, -1);
    device.fail_take = true;
    assert_int_equal(firn_sim_frame(sim), FIRN_BROKEN_MEMORY);
    assert_contains(firn_sim_error(sim), "no room");
    assert_int_equal(device.steps, 0);
    device.fail_take = false;  // nothing is broken: it may be tried again
    assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    firn_sim_destroy(sim);

    sim = start(true, NULL, false, -1);
    device.fail_restore = true;
    device.diverge_at = 2;
    assert_int_equal(firn_sim_frame(sim), FIRN_BROKEN_INTERNAL);
    assert_contains(firn_sim_error(sim), "the device is gone");
    assert_contains(firn_sim_error(sim), "frame 0");
    assert_int_equal(firn_sim_frame(sim), FIRN_BROKEN_DIVERGED);  // and stays broken
    firn_sim_destroy(sim);
}

static int empty_device(void** state)
{
    (void)state;
    firn_particles_destroy(&device.now);
    firn_particles_destroy(&device.kept);
    return 0;
}

int test_sim_remote(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_the_same), cmocka_unit_test(resumes_across),
        cmocka_unit_test(rolls_back), cmocka_unit_test(fields), cmocka_unit_test(failures)};
    return cmocka_run_group_tests_name("sim_remote", tests, NULL, empty_device);
}
