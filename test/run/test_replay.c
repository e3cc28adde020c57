// SPDX-License-Identifier: MIT
// Replay of a run: its frames, their fields, and its colliders where they were, whoever moved them.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collider_at.h"
#include "core/memory.h"
#include "firn/firn.h"
#include "firn_test.h"
#include "geometry/collider/collider_drive.h"
#include "output/run/manifest.h"
#include "sim/sim.h"

#define DIR FIRN_TEST_TMP "/replay"

static const char scene_text[] =
    "firn: 1\n"
    "title: A ball falls\n"
    "solver: ballistic\n"
    "time: {frames: 4, fps: 10}\n"
    "ballistic: {spacing: 0.02}\n"
    "snow:\n"
    "  - shape: {sphere: {center: [0, 1, 0], radius: 0.05}}\n"
    "colliders:\n"
    "  - shape: {plane: {point: [0, 0.25, 0], normal: [0, 2, 0]}}\n"
    "  - shape: {box: {center: [0, 0, 0], size: [0.2, 0.4, 0.6]}}\n"
    "    position: [3, 0, 0]\n"
    "    velocity: [2, 0, 0]\n"
    "    surface: {kind: diffuse, colour: [0.1, 0.2, 0.3]}\n"
    "  - shape: {sphere: {center: [0, 0, 0], radius: 0.1}}\n"
    "    position: [-3, 0, 0]\n"
    "    surface: {kind: hidden}\n"
    "output: {preview: false, film: false, fields: [velocity, id, mass]}\n"
    "render: {camera: {eye: [0.5, 0.3, 0.6], look_at: [0, 0.05, 0], fov: 40}, sun: [0, 3, 4]}\n";

static const firn_real h = (firn_real)0.70710678118654752;

static bool make(firn_sim** out_sim, const char* dir)
{
    firn_scene* scene = NULL;
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.output_dir = dir;
    def.overwrite = true;
    firn_error error = {0};
    bool good = firn_scene_create(&scene) == FIRN_OK &&
                firn_scene_load_text(scene, scene_text, "ball", NULL) == FIRN_OK;
    if (!good) puts(firn_scene_messages(scene));
    good = good && firn_sim_create(scene, &def, out_sim, &error) == FIRN_OK;
    if (error.code != FIRN_OK) puts(error.text);
    firn_scene_destroy(scene);
    return good;
}

// The caller moves collider 2 from the start: it spins about y and rises at 3 m/s.
static int make_run(void** state)
{
    (void)state;
    firn_sim* sim = NULL;
    if (!make(&sim, DIR)) return 1;
    firn_local count = 0;
    firn_collider* bodies = sim->solver->colliders(sim->self, &count);
    firn_motion m = firn_motion_at_rest();
    m.position = firn_v3(1, 0, 2);
    m.rotation = (firn_quat){h, 0, 0, h};
    m.scale = 2;
    m.velocity = firn_v3(0, 3, 0);
    m.spin = firn_v3(0, 5, 0);
    const bool good =
        count == 3 &&
        firn_collider_drive(&bodies[2], FIRN_MOVED_BY_CALLER, &m, 0, NULL) == FIRN_OK &&
        firn_sim_run(sim) == FIRN_OK;
    firn_sim_destroy(sim);
    return good ? 0 : 1;
}

static firn_replay* open_run(void)
{
    firn_replay* replay = NULL;
    firn_error error = {0};
    if (firn_replay_open(DIR, &replay, &error) != FIRN_OK) fail_msg("%s", error.text);
    return replay;
}

static void frames_come_back(void** state)
{
    (void)state;
    firn_replay* r = open_run();
    const int64_t* frames = NULL;
    assert_int_equal(firn_replay_frames(r, &frames), 5);
    for (int k = 0; k < 5; k++) assert_int_equal(frames[k], k);
    assert_int_equal(firn_replay_frame(r), 0);
    // free fall, until the ball meets the ground: the same as the simulation has
    firn_sim* sim = NULL;
    assert_true(make(&sim, NULL));
    for (int64_t k = 0; k < 4; k++) {
        firn_error error = {0};
        if (firn_replay_seek(r, k, &error) != FIRN_OK) fail_msg("%s", error.text);
        assert_int_equal(firn_replay_frame(r), k);
        assert_near(firn_replay_time(r), 0.1 * (double)k, 1e-9);  // [s] in double
        firn_field_view read, live;
        assert_int_equal(firn_replay_field(r, "position", &read), FIRN_OK);
        assert_int_equal(firn_sim_field(sim, "position", &live), FIRN_OK);
        assert_int_equal(read.type, FIRN_FIELD_VEC3);
        assert_string_equal(read.unit, "m");
        assert_int_equal(read.count, live.count);
        const firn_real *a = read.data, *b = live.data;
        for (firn_local i = 0; i < 3 * live.count; i++) assert_equal(a[i], (firn_real)(float)b[i]);
        if (k < 3) assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    }
    firn_sim_destroy(sim);
    firn_replay_close(r);
}

static void fields_are_those_of_the_file(void** state)
{
    (void)state;
    firn_replay* r = open_run();
    assert_int_equal(firn_replay_field_count(r), 4);
    static const char* const names[4] = {"position", "velocity", "mass", "id"};
    firn_field_view view;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(firn_replay_field_at(r, k, &view), FIRN_OK);
        assert_string_equal(view.name, names[k]);
        assert_non_null(view.data);
    }
    assert_int_equal(view.type, FIRN_FIELD_U32);
    assert_int_equal(firn_replay_field_at(r, 4, &view), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_replay_field_at(r, -1, &view), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_replay_field(r, "density", &view), FIRN_REFUSED_NAME);
    firn_replay_close(r);
}

// Poses are floats of up to 4 m or 5 rad/s, moved over 0.4 s: roundings of 2e-7 to 5e-7.
#define POSE_ERROR 1e-5

static void assert_position(firn_vec3 a, double x, double y, double z)
{
    const double off =
        fmax(fabs((double)a.x - x), fmax(fabs((double)a.y - y), fabs((double)a.z - z)));
    if (!(off < POSE_ERROR))
        fail_msg("(%g, %g, %g) is not (%g, %g, %g)", (double)a.x, (double)a.y, (double)a.z, x, y,
                 z);
}

static void bodies_are_where_they_were(void** state)
{
    (void)state;
    firn_replay* r = open_run();
    firn_body_info b;
    assert_int_equal(firn_replay_body_count(r), 3);
    assert_int_equal(firn_replay_body(r, replay_collider_at(r, 3), &b), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_replay_body(r, replay_collider_at(r, -1), &b), FIRN_REFUSED_ARGUMENT);
    for (int64_t k = 0; k < 5; k += 4) {
        assert_int_equal(firn_replay_seek(r, k, NULL), FIRN_OK);
        const double t = firn_replay_time(r);
        assert_int_equal(firn_replay_body(r, replay_collider_at(r, 0), &b), FIRN_OK);
        assert_false(b.bounded);
        assert_position(b.normal, 0, 1, 0);
        assert_position(b.point, 0, 0.25, 0);
        assert_int_equal(firn_replay_body(r, replay_collider_at(r, 1), &b), FIRN_OK);
        assert_int_equal(b.driver, FIRN_BODY_SCENE);
        assert_true(b.bounded);
        assert_false(b.hidden);
        assert_false(b.deforms);
        assert_position(b.pose.position, 3 + 2 * t, 0, 0);
        assert_position(b.low, 2.9 + 2 * t, -0.2, -0.3);
        assert_position(b.high, 3.1 + 2 * t, 0.2, 0.3);
        assert_position(b.pose.velocity, 2, 0, 0);
        assert_near(b.colour[1], 0.2f, 1e-6f);  // a float
        assert_nan(b.temperature);
        assert_int_equal(firn_replay_body(r, replay_collider_at(r, 2), &b), FIRN_OK);
        assert_int_equal(b.driver, FIRN_BODY_CALLER);
        assert_true(b.hidden);
        assert_position(b.pose.position, 1, 3 * t, 2);
        assert_position(b.pose.velocity, 0, 3, 0);
        assert_position(b.pose.spin, 0, 5, 0);
        assert_equal(b.pose.scale, 2);
        // the bounds of its rotated box hold the ball, and are at most sqrt(2) - 1 wider
        const double beyond = 0.8 - (double)b.low.x;
        assert_greater(beyond, -POSE_ERROR);
        assert_less(beyond, 0.2 * 0.4143);
        assert_position(b.low, 0.8 - beyond, 3 * t - 0.2, 1.8 - beyond);
        // rotated by spin * t about y, after its initial rotation about z
        const double c = cos(2.5 * t), s = sin(2.5 * t), g = (double)h;
        assert_near(b.pose.rotation.w, c * g, POSE_ERROR);
        assert_position(firn_v3(b.pose.rotation.x, b.pose.rotation.y, b.pose.rotation.z), s * g,
                        s * g, c * g);
    }
    firn_replay_close(r);
}

static void the_view_is_the_scenes(void** state)
{
    (void)state;
    firn_replay* r = open_run();
    firn_view_info v;
    assert_int_equal(firn_replay_view(r, &v), FIRN_OK);
    assert_string_equal(v.title, "A ball falls");
    assert_string_equal(v.colour_by, "");
    assert_equal(v.eye[0], 0.5);
    assert_equal(v.eye[2], 0.6);
    assert_equal(v.look_at[1], 0.05);
    assert_equal(v.fov, 40);
    // a unit vector in double
    assert_near(v.sun[1], 0.6, 1e-12);
    assert_near(v.sun[2], 0.8, 1e-12);
    assert_equal(v.fps, 10);
    assert_equal(v.frames, 4);
    // [m] the spacing of the particles, by order of magnitude
    assert_greater(v.spacing, 0.009);
    assert_less(v.spacing, 0.021);
    firn_replay_close(r);
}

static void refused_seeks_change_nothing(void** state)
{
    (void)state;
    firn_replay* r = open_run();
    firn_error error = {0};
    assert_int_equal(firn_replay_seek(r, 2, &error), FIRN_OK);
    firn_field_view before, after;
    assert_int_equal(firn_replay_field(r, "position", &before), FIRN_OK);
    assert_int_equal(firn_replay_seek(r, 9, &error), FIRN_REFUSED_NAME);
    assert_contains(error.text, "no frame 9");
    // a damaged file
    FILE* file = fopen(DIR "/frames/ball.0003.hdf", "r+b");
    assert_non_null(file);
    fseek(file, 700, SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, 700, SEEK_SET);
    fputc(byte ^ 64, file);
    fclose(file);
    assert_int_equal(firn_replay_seek(r, 3, &error), FIRN_REFUSED_DAMAGED);
    file = fopen(DIR "/frames/ball.0003.hdf", "r+b");
    fseek(file, 700, SEEK_SET);
    fputc(byte, file);
    fclose(file);
    assert_int_equal(firn_replay_frame(r), 2);
    assert_int_equal(firn_replay_field(r, "position", &after), FIRN_OK);
    assert_ptr_equal(before.data, after.data);
    // another frame under this one's name
    assert_int_equal(rename(DIR "/frames/ball.0003.hdf", DIR "/kept"), 0);
    assert_int_equal(link(DIR "/frames/ball.0001.hdf", DIR "/frames/ball.0003.hdf"), 0);
    assert_int_equal(firn_replay_seek(r, 3, &error), FIRN_REFUSED_DAMAGED);
    assert_contains(error.text, "instead of frame 3");
    assert_int_equal(rename(DIR "/kept", DIR "/frames/ball.0003.hdf"), 0);
    assert_int_equal(firn_replay_seek(r, 3, &error), FIRN_OK);
    firn_replay_close(r);
}

static void what_is_no_run_is_refused(void** state)
{
    (void)state;
    firn_replay* r = NULL;
    firn_error error = {0};
    const uint64_t in_use = firn_memory_read().bytes;
    assert_int_equal(firn_replay_open(FIRN_TEST_TMP "/nowhere", &r, &error), FIRN_REFUSED_NAME);
    assert_contains(error.text, "nowhere");
    assert_int_equal(firn_replay_open(NULL, &r, &error), FIRN_REFUSED_ARGUMENT);
    assert_null(r);
    firn_replay_close(NULL);
    assert_int_equal(firn_memory_read().bytes, in_use);
}

// A run that is still writing: its frames appear as the manifest has them.
static void frames_of_a_run_that_goes_on(void** state)
{
    (void)state;
    firn_manifest whole, part = {0};
    firn_error error = {0};
    assert_int_equal(firn_manifest_read(DIR, &whole, &error), FIRN_OK);
    const firn_local count = whole.count;
    part = whole;
    for (part.count = 0; whole.entries[part.count].frame < 2;) part.count++;
    assert_int_equal(firn_manifest_write(DIR, &part, &error), FIRN_OK);
    firn_replay* r = open_run();
    const int64_t* frames = NULL;
    assert_int_equal(firn_replay_frames(r, &frames), 2);
    whole.count = count;
    assert_int_equal(firn_manifest_write(DIR, &whole, &error), FIRN_OK);
    assert_int_equal(firn_replay_seek(r, 4, &error), FIRN_OK);  // looked for again
    assert_int_equal(firn_replay_frames(r, &frames), 5);
    assert_int_equal(frames[4], 4);
    // no manifest for a moment: what was there is still known
    assert_int_equal(rename(DIR "/manifest.json", DIR "/m"), 0);
    assert_int_equal(firn_replay_frames(r, &frames), 5);
    assert_int_equal(rename(DIR "/m", DIR "/manifest.json"), 0);
    firn_manifest_destroy(&whole);
    firn_replay_close(r);
}

static void memory_runs_out(void** state)
{
    (void)state;
    const uint64_t in_use = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result != FIRN_OK; k += k < 40 ? 1 : 7) {
        firn_replay* r = NULL;
        firn_error error = {0};
        firn_memory_fail_at(k, true);
        result = firn_replay_open(DIR, &r, &error);
        firn_memory_fail_at(0, false);
        if (result != FIRN_OK) assert_null(r);
        firn_replay_close(r);
        assert_int_equal(firn_memory_read().bytes, in_use);
    }
}

int test_replay(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_back),
        cmocka_unit_test(fields_are_those_of_the_file),
        cmocka_unit_test(bodies_are_where_they_were),
        cmocka_unit_test(the_view_is_the_scenes),
        cmocka_unit_test(refused_seeks_change_nothing),
        cmocka_unit_test(what_is_no_run_is_refused),
        cmocka_unit_test(frames_of_a_run_that_goes_on),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, make_run, NULL);
}
