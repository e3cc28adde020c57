// SPDX-License-Identifier: MIT
// Scenes that are right: every key lands where it belongs; variants, overrides, paths, the camera.
#include <locale.h>
#include <math.h>
#include <sys/stat.h>

#include "geometry/collider/collider.h"
#include "scene/data/snow.h"
#include "scene/scene_fixture.h"
#include "scene/scene_text.h"
#include "state/field_table.h"

static void test_top_and_solver(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(full_scene, NULL);
    assert_string_equal(s.name, "test");
    assert_string_equal(s.title, "Everything: once");
    assert_null(s.path);
    assert_null(s.variant);
    assert_int_equal(s.solver, 0);
    assert_ptr_equal(s.solver_keys, &toy_block);
    assert_int_equal(s.time.frames, 48);
    assert_equal(s.time.fps, 25);
    assert_equal(s.gravity[1], -9.80665);
    assert_equal(s.gravity[0], 0);
    const toy_def* d = toy(&s);
    assert_equal(d->cell, 0.02);
    assert_equal(d->flip, 0.9);
    assert_int_equal(d->integrator, 0);
    assert_int_equal(d->steps, 7);
    assert_false(d->warm);
    assert_string_equal(d->note, "hello");
    NEAR(d->wind[0], 10);
    assert_int_equal(s.variant_count, 2);
    assert_string_equal(s.variant_names[0], "paper");
    assert_string_equal(s.variant_names[1], "small");
    firn_scene_data_destroy(&s);
}

static void check_vary(const firn_vary* v)
{
    const firn_vary_noise* stiffness = &v->field[FIRN_VARY_STIFFNESS].noise;
    const firn_vary_noise* density = &v->field[FIRN_VARY_DENSITY].noise;
    assert_equal(stiffness->scale, 0.03);
    assert_equal(stiffness->amount, 0.5);
    assert_equal(stiffness->octaves, 2);
    assert_equal(stiffness->seed, 9);
    assert_equal(density->scale, 0.04);
    assert_equal(density->octaves, 3);
    assert_equal(v->shell.thickness, 0.02);
    assert_equal(v->shell.factor[FIRN_VARY_STIFFNESS], 2);
    assert_equal(v->shell.factor[FIRN_VARY_DENSITY], 1.2);
    assert_int_equal(v->shell.falloff, FIRN_FALLOFF_SHARP);
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        assert_int_equal(firn_vary_changes(v, q), q <= FIRN_VARY_DENSITY);
        if (q > FIRN_VARY_DENSITY) assert_equal(v->shell.factor[q], 1);
    }
}

// The rest of what can vary.
static void check_more_vary(const firn_vary* v)
{
    const firn_vary_texture* a = &v->field[FIRN_VARY_STIFFNESS].texture;
    const firn_vary_texture* b = &v->field[FIRN_VARY_HARDENING].texture;
    assert_string_equal(a->file, "clouds.vdb");
    assert_null(a->grid);
    assert_equal(a->low, 0.5);
    assert_equal(a->high, 2);
    assert_string_equal(b->grid, "xi");
    assert_equal(b->low, 1);
    assert_equal(b->high, 3);
    NEAR(v->field[FIRN_VARY_HARDENING].noise.scale, 0.05);
    assert_int_equal(v->field[FIRN_VARY_COMPRESSION].noise.seed, 3);
    assert_int_equal(v->field[FIRN_VARY_STRETCH].noise.octaves, 1);
    assert_int_equal(v->shell.falloff, FIRN_FALLOFF_LINEAR);
    const double shell[] = {1, 1, 1.5, 1.25, 0.75}, top[] = {5, 1.2, 1, 1, 1};
    const double under[] = {1, 1, 2, 0.8, 0.5};
    assert_int_equal(v->layers.count, 2);
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        assert_equal(v->shell.factor[q], shell[q]);
        assert_equal(v->layers.items[0].factor[q], top[q]);
        assert_equal(v->layers.items[1].factor[q], under[q]);
        assert_true(firn_vary_changes(v, q));
    }
    assert_equal(v->layers.items[0].from, 0);
    assert_equal(v->layers.items[0].to, 0.03);
    assert_equal(v->layers.items[1].from, 0.03);
    assert_equal(v->layers.items[1].to, 0.05);
}

static void test_materials_and_snow(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(full_scene, NULL);
    assert_int_equal(s.material_count, 3);  // two of the scene, and the preset that snow names
    NEAR(s.materials[0].snow.density, 450);
    NEAR(s.materials[0].snow.young, 1.4e5);
    NEAR(s.materials[0].snow.hardening, 20);  // from icy
    assert_string_equal(s.materials[0].preset, "icy");
    assert_string_equal(s.materials[1].name, "plain");
    assert_null(s.materials[1].preset);
    NEAR(s.materials[1].snow.density, 400);
    assert_string_equal(s.materials[2].name, "powder");
    assert_int_equal(s.snow_count, 6);
    const firn_snow* a = &s.snow[0];
    assert_int_equal(a->material, 0);
    assert_int_equal(a->seeding, FIRN_SEED_LATTICE);
    assert_int_equal(a->seed, 5);
    assert_equal(a->particles_per_cell, 8);
    assert_equal(a->velocity[1], -2);
    NEAR(a->spin[1], 2 * M_PI);
    check_vary(&a->vary);
    assert_int_equal(s.snow[1].material, 2);
    assert_int_equal(s.snow[2].material, 0);  // the first one by default
    assert_int_equal(s.snow[3].material, 1);
    check_more_vary(&s.snow[3].vary);
    assert_true(s.cull.active);
    assert_equal(s.cull.below, -5);
    assert_int_equal(s.shapes.nodes[s.cull.inside].kind, FIRN_SHAPE_SPHERE);
    assert_int_equal(s.shapes.nodes[s.cull.outside].kind, FIRN_SHAPE_BOX);
    assert_int_equal(s.snow[5].shape, -1);
    assert_string_equal(s.snow[5].file, "points.ply");  // a text has no folder
    assert_equal(s.snow[1].particles_per_cell, 8);
    assert_equal(s.snow[1].seed, 1);
    assert_equal(s.snow[1].vary.shell.thickness, 0);
    assert_equal(s.snow[1].vary.shell.factor[1], 1);
    for (int q = 0; q < FIRN_VARY_COUNT; q++) assert_false(firn_vary_changes(&s.snow[1].vary, q));
    firn_scene_data_destroy(&s);
}

// Shapes are judged by where their surfaces are.
static void test_shapes(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(full_scene, NULL);
    const firn_vec3 top = {0, (firn_real)1.12, 0};
    NEAR(firn_shape_distance(&s.shapes, s.snow[0].shape, top), 0);
    // The box is rotated by 90 degrees about y: its 0.6 along z is now along x.
    const firn_vec3 side = {(firn_real)1.29, 1, 0};
    assert_less(firn_shape_distance(&s.shapes, s.snow[1].shape, side), 0);
    const firn_vec3 end = {1, (firn_real)2.05, 0}, disc = {1, 1, (firn_real)0.95};
    assert_less(firn_shape_distance(&s.shapes, s.snow[1].shape, end), 0);
    assert_less(firn_shape_distance(&s.shapes, s.snow[1].shape, disc), 0);
    const firn_vec3 hole = {0, (firn_real)1.1, 0}, centre = {0, 1, 0};
    assert_less(firn_shape_distance(&s.shapes, s.snow[2].shape, centre), 0);
    assert_greater(firn_shape_distance(&s.shapes, s.snow[3].shape, hole), 0);
    // the ball is cut too
    assert_greater(firn_shape_distance(&s.shapes, s.snow[3].shape, centre), 0);
    // Scaled by 2, rotated (x to y to z to x), moved: the centre (0, 1, 0) goes to (0, 5, 2).
    const firn_vec3 moved = {0, 5, (firn_real)2.24};
    NEAR(firn_shape_distance(&s.shapes, s.snow[4].shape, moved), 0);
    const firn_box3 field = firn_shape_bounds(&s.shapes, s.colliders[2].shape);
    NEAR(field.low.y, -2.1);
    firn_scene_data_destroy(&s);
}

static void test_colliders(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(full_scene, NULL);
    assert_int_equal(s.collider_count, 3);
    NEAR(s.colliders[0].friction, 0.5);
    assert_false(s.colliders[0].sticky);
    const firn_motion* m = &s.colliders[1].motion;
    assert_true(s.colliders[1].sticky);
    NEAR(s.colliders[1].friction, 0.4);
    NEAR3(m->velocity, 0, 0, 1);
    NEAR3(m->spin, 0, M_PI / 2, 0);
    NEAR3(m->pivot, 1, 2, 3);
    NEAR3(m->position, 0, 0, 1);
    NEAR(m->rotation.w, sqrt(0.5));
    NEAR(m->rotation.x, sqrt(0.5));
    NEAR3(s.colliders[1].pose.position, 0, 0, 1);  // the pose at the start is ready
    m = &s.colliders[2].motion;
    assert_int_equal(m->key_count, 3);
    assert_int_equal(m->interpolation, FIRN_INTERPOLATE_LINEAR);
    assert_equal(m->keys[1].time, 0.5);
    NEAR3(m->keys[1].position, 0, 1, 0);
    NEAR(m->keys[2].rotation.z, sqrt(0.5));
    firn_scene_data_destroy(&s);
}

static void test_output_and_render(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(full_scene, NULL);
    assert_int_equal(s.output.points, FIRN_POINTS_VTKHDF | FIRN_POINTS_PLY);
    assert_int_equal(s.output.volume, FIRN_VOLUME_VDB);
    assert_int_equal(s.output.fields, FIRN_OUTPUT_BIT(FIRN_FRAME_VELOCITY) |
                                          FIRN_OUTPUT_BIT(FIRN_FRAME_PLASTIC_VOLUME));
    assert_int_equal(s.output.compression, 3);
    assert_int_equal(s.output.checkpoint_every, 5);
    assert_int_equal(s.output.checkpoint_keep, 4);
    assert_equal(s.output.voxel, 0.01);
    assert_false(s.output.stats || s.output.preview || s.output.film);
    assert_equal(s.render.eye[2], 4);
    assert_equal(s.render.look_at[1], 1);
    assert_equal(s.render.sun[0], 1);
    NEAR(s.render.fov_deg, 0.5 * 180 / M_PI);
    assert_int_equal(s.render.width, 320);
    assert_int_equal(s.render.height, 240);
    assert_equal(s.render.sun_strength, 2);
    assert_equal(s.render.sky_strength, 0.5);
    firn_scene_data_destroy(&s);
}

static void test_defaults(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(
        "firn: 1\nsnow: [{shape: {sphere: {center: [0, 2, 0], radius: 1}}}]\nmaterials:\n", NULL);
    assert_equal(s.gravity[1], -9.81);
    assert_int_equal(s.time.frames, 96);
    assert_equal(s.time.fps, 24);
    assert_equal(toy(&s)->cell, 0.01);
    assert_int_equal(s.material_count, 1);
    assert_string_equal(s.materials[0].name, "snow");
    assert_int_equal(s.output.points, FIRN_POINTS_VTKHDF);
    assert_int_equal(s.output.fields, firn_output_fields_default);
    assert_true(s.output.stats && s.output.preview && s.output.film);
    // No camera was named: it looks at the snow, from outside, and has all of it in view.
    const double d[3] = {s.render.look_at[0] - s.render.eye[0],
                         s.render.look_at[1] - s.render.eye[1],
                         s.render.look_at[2] - s.render.eye[2]};
    const double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    assert_equal(s.render.look_at[0], 0);
    assert_equal(s.render.look_at[2], 0);
    assert_greater(distance * sin(s.render.fov_deg * M_PI / 360), 1.5);
    assert_less(distance, 20);
    firn_scene_data_destroy(&s);
}

static void test_variants(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(full_scene, &(firn_scene_options){.variant = "paper"});
    assert_string_equal(s.variant, "paper");
    assert_equal(toy(&s)->cell, 0.0048);
    assert_equal(toy(&s)->flip, 0.9);  // a map merges
    assert_equal(s.snow[0].particles_per_cell, 10);
    assert_int_equal(s.snow[0].seed, 5);                                     // an item merges
    assert_int_equal(s.shapes.nodes[s.snow[0].shape].kind, FIRN_SHAPE_BOX);  // a shape is replaced
    assert_int_equal(s.snow_count, 6);
    firn_scene_data_destroy(&s);

    s = parse_good(full_scene, &(firn_scene_options){.variant = "small"});
    assert_int_equal(s.time.frames, 2);
    assert_equal(s.time.fps, 25);
    assert_int_equal(s.collider_count, 0);  // a list is replaced
    assert_int_equal(s.snow_count, 1);
    assert_int_equal(s.render.width, 960);  // null removes
    firn_scene_data_destroy(&s);
}

static void test_overrides(void** state)
{
    (void)state;
    static const char* const sets[] = {"mpm.cell=3 cm",
                                       "snow.0.velocity=[0,-3,0]",
                                       "snow.1.vary.shell={thickness: 1 cm}",
                                       "output.checkpoint.every=0",
                                       "title=a=b",
                                       "render=null",
                                       "colliders.0.friction=0.9",
                                       "mpm.cell=4 cm"};
    firn_scene_data s = parse_good(
        full_scene,
        &(firn_scene_options){.variant = "paper", .overrides = sets, .override_count = 8});
    assert_equal(toy(&s)->cell, 0.04);  // over the variant; the last one wins
    assert_equal(s.snow[0].velocity[1], -3);
    assert_equal(s.snow[1].vary.shell.thickness, 0.01);
    assert_int_equal(s.output.checkpoint_every, 0);
    assert_int_equal(s.output.checkpoint_keep, 4);
    assert_string_equal(s.title, "a=b");
    NEAR(s.colliders[0].friction, 0.9);
    firn_scene_data_destroy(&s);

    static const char* const made[] = {"mpm.cell=0.5"};  // a block that was not there
    s = parse_good("firn: 1\n", &(firn_scene_options){.overrides = made, .override_count = 1});
    assert_equal(toy(&s)->cell, 0.5);
    firn_scene_data_destroy(&s);
}

static void test_solver_choice(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(full_scene, &(firn_scene_options){.solver = "sph"});
    assert_int_equal(s.solver, 1);
    assert_ptr_equal(s.solver_keys, &other_block);
    assert_equal(toy(&s)->cell, 0.005);
    assert_contains(s.effective, "solver: sph");
    firn_scene_data_destroy(&s);
}

static void write_file(const char* path, const char* text)
{
    FILE* f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void test_files_and_paths(void** state)
{
    (void)state;
    mkdir(FIRN_TEST_TMP, 0777);
    mkdir(FIRN_TEST_TMP "/my-scene", 0777);
    write_file(FIRN_TEST_TMP "/my-scene/scene.yaml",
               "firn: 1\nsnow: [{file: a/p.ply}, {file: /abs/p.ply}]\n");
    firn_scene_data s;
    firn_diagnostics d = {0};
    const char* path = FIRN_TEST_TMP "/my-scene/scene.yaml";
    assert_int_equal(firn_scene_parse_file(path, toy_solvers, 2, NULL, &s, &d), FIRN_OK);
    assert_string_equal(s.name, "my-scene");
    assert_string_equal(s.path, path);
    assert_string_equal(s.snow[1].file, "/abs/p.ply");
    assert_equal(s.snow[0].file[0], '/');
    assert_contains(s.snow[0].file, "/my-scene/a/p.ply");
    assert_contains(s.effective, "/my-scene/a/p.ply");  // a copy finds the file too
    const uint64_t hash = s.hash;
    firn_scene_data_destroy(&s);
    // "." and ".." are no names: files called after them would be hidden.
    static const char* const detours[] = {FIRN_TEST_TMP "/my-scene/./scene.yaml",
                                          FIRN_TEST_TMP "/my-scene/../my-scene/./scene.yaml",
                                          FIRN_TEST_TMP "/my-scene//scene.yaml"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(firn_scene_parse_file(detours[i], toy_solvers, 2, NULL, &s, &d), FIRN_OK);
        assert_string_equal(s.name, "my-scene");
        firn_scene_data_destroy(&s);
    }
    // The same scene in another folder is the same scene.
    mkdir(FIRN_TEST_TMP "/other", 0777);
    write_file(FIRN_TEST_TMP "/other/b.yaml",
               "firn: 1\nsnow: [{file: p.ply}, {file: /abs/p.ply}]\n");
    assert_int_equal(
        firn_scene_parse_file(FIRN_TEST_TMP "/other/b.yaml", toy_solvers, 2, NULL, &s, &d),
        FIRN_OK);
    assert_string_equal(s.name, "b");
    assert_equal(s.hash, hash);
    firn_scene_data_destroy(&s);
    firn_diagnostics_destroy(&d);
}

// A program may run in a locale that writes 0,5.
static void test_locale(void** state)
{
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL)
        skip();
    firn_scene_data s = parse_good("firn: 1\nmpm: {flip: 0.5}\n", NULL);
    assert_equal(toy(&s)->flip, 0.5);
    firn_scene_data_destroy(&s);
    setlocale(LC_ALL, "C");
}

static void test_byte_order_mark_and_line_ends(void** state)
{
    (void)state;
    firn_scene_data s = parse_good("\xef\xbb\xbf"
                                   "firn: 1\r\nmpm: {flip: 0.5}\r\ntitle: caf\xc3\xa9\r\n",
                                   NULL);
    assert_equal(toy(&s)->flip, 0.5);
    assert_string_equal(s.title, "caf\xc3\xa9");
    firn_scene_data_destroy(&s);
}

// libfyaml returns escapes in chunks; a text of many chunks must not leak memory.
static void test_many_escapes(void** state)
{
    (void)state;
    firn_scene_data s =
        parse_good("firn: 1\n"
                   "title: 'a''''''''''''''''''''''''''''''''''''''''b'\n"
                   "mpm: {note: \"\\x41\\x42\\t\\t\\t\\t\\t\\t\\t\\t\\t\\t\\t\\t\\u00e9\"}\n",
                   NULL);
    assert_string_equal(s.title, "a''''''''''''''''''''b");
    assert_string_equal(toy(&s)->note, "AB\t\t\t\t\t\t\t\t\t\t\t\t\xc3\xa9");
    firn_scene_data_destroy(&s);
}

int test_parse(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_top_and_solver),
        cmocka_unit_test(test_materials_and_snow),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_colliders),
        cmocka_unit_test(test_output_and_render),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_solver_choice),
        cmocka_unit_test(test_files_and_paths),
        cmocka_unit_test(test_locale),
        cmocka_unit_test(test_byte_order_mark_and_line_ends),
        cmocka_unit_test(test_many_escapes),
    };
    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
