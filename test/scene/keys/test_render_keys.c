// SPDX-License-Identifier: MIT
// Block `render` and the look of colliders: values, ranges, lists inside the block, what is written
// and what a scene's hash does not see.
#include "core/text.h"
#include "geometry/collider/collider.h"
#include "scene/scene_fixture.h"
#include "scene/write/scene_write.h"
#include "state/field_table.h"

#define SCENE(render) "firn: 1\nsnow:\n- shape: {sphere: {radius: 1}}\nrender: " render "\n"

static const char everything[] = SCENE(
    "{camera: {fov: 40, lens: 2 cm, focus: 3 m, keys: [\n"
    "  {time: 0, eye: [1, 2, 3], look_at: [0, 0, 0]},\n"
    "  {time: 500 ms, eye: [2, 2, 3], look_at: [0, 1, 0], fov: 20}]},\n"
    " sun_size: 1, shutter: 0.5, sky: {picture: /sky.exr, turn: 90 deg},\n"
    " lights: [{center: [0, 3, 0], edge_u: [1, 0, 0], edge_v: [0, 0, 2], radiance: [3, 2, 1]},\n"
    "  {center: [0, 4, 0], edge_u: [1, 1, 0], edge_v: [0, 0, 1], two_sided: true}],\n"
    " medium: {extinction: 500, density: 300, albedo: [0.5, 0.6, 0.7], anisotropy: -0.2,\n"
    "  voxel: 1 cm, kernel: anisotropic},\n"
    " samples: 256, noise: 1 %, seconds: 1 min, seed: 7, denoise: false, exposure: -1.5,\n"
    " colour_by: {field: temperature, from: -100, to: 0, colours: white-black}}");

static void check_everything(const firn_render_block* r)
{
    assert_equal(r->fov_deg, 40);
    assert_equal(r->lens, 0.02);
    assert_equal(r->focus, 3);
    assert_equal(r->camera_key_count, 2);
    assert_equal(r->camera_keys[0].time, 0);
    assert_equal(r->camera_keys[0].eye[2], 3);
    assert_equal(r->camera_keys[0].fov_deg, 40);
    assert_equal(r->camera_keys[1].fov_deg, 20);
    assert_equal(r->camera_keys[1].time, 0.5);
    assert_equal(r->camera_keys[1].look_at[1], 1);
    assert_equal(r->eye[0], 1);
    assert_equal(r->eye[1], 2);
    assert_equal(r->look_at[0], 0);  // of the first key
    assert_equal(r->sun_size, 1);
    assert_equal(r->shutter, 0.5);
    assert_equal(r->sky_turn, 90);
    assert_string_equal(r->sky_picture, "/sky.exr");
    assert_int_equal(r->light_count, 2);
    assert_equal(r->lights[0].center[1], 3);
    assert_equal(r->lights[0].edge_v[2], 2);
    assert_equal(r->lights[0].radiance[0], 3);
    assert_equal(r->lights[0].radiance[2], 1);
    assert_false(r->lights[0].two_sided);
    assert_equal(r->lights[1].radiance[0], 1);
    assert_true(r->lights[1].two_sided);
    const firn_medium_block* m = &r->medium;
    assert_equal(m->extinction, 500);
    assert_equal(m->density, 300);
    assert_equal(m->albedo[1], 0.6);
    assert_equal(m->anisotropy, -0.2);
    assert_equal(m->voxel, 0.01);
    assert_equal(m->kernel, FIRN_MEDIUM_ANISOTROPIC);
    assert_equal(r->samples, 256);
    assert_equal(r->noise, 0.01);
    assert_equal(r->seconds, 60);
    assert_equal(r->seed, 7);
    assert_false(r->denoise);
    assert_equal(r->exposure, -1.5);
    assert_int_equal(r->colour_by.field, FIRN_FRAME_TEMPERATURE);
    assert_equal(r->colour_by.from, -100);
    assert_equal(r->colour_by.to, 0);
    assert_int_equal(r->colour_by.colours, FIRN_COLOURS_WHITE_BLACK);
}

static void every_key_is_read_and_written(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(everything, NULL);
    check_everything(&s.render);
    firn_scene_data copy;
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    assert_ptr_not_equal(copy.render.sky_picture, s.render.sky_picture);
    firn_scene_data_changed(&copy);  // is written from its data
    char* text = firn_scene_to_yaml(&copy);
    assert_non_null(text);
    firn_scene_data again = parse_good(text, NULL);
    check_everything(&again.render);
    assert_equal(again.hash, s.hash);
    firn_free(text);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&copy);
    check_everything(&s.render);
    firn_scene_data_destroy(&s);
}

static void what_is_not_said(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(SCENE("{}"), NULL);
    const firn_render_block* r = &s.render;
    assert_equal(r->fov_deg, 35);
    assert_equal(r->lens, 0);
    assert_equal(r->focus, 0);
    assert_equal(r->camera_key_count, 0);
    assert_equal(r->sun_size, 0.53);
    assert_equal(r->shutter, 0);
    assert_null(r->sky_picture);
    assert_equal(r->light_count, 0);
    assert_equal(r->sky_turn, 0);
    assert_equal(r->medium.extinction, 724);
    assert_equal(r->medium.density, 400);
    assert_equal(r->medium.albedo[0], 0.9975);
    assert_equal(r->medium.albedo[1], 0.9985);
    assert_equal(r->medium.albedo[2], 0.9995);
    assert_equal(r->medium.anisotropy, 0.5);
    assert_equal(r->medium.voxel, 0);
    assert_int_equal(r->medium.kernel, FIRN_MEDIUM_DETAIL);
    assert_equal(r->samples, 64);
    assert_equal(r->noise, 0);
    assert_equal(r->seconds, 0);
    assert_equal(r->seed, 0);
    assert_true(r->denoise);
    assert_equal(r->exposure, 0);
    firn_scene_data_destroy(&s);
}

// Nothing of it changes the motion.
static void the_hash_does_not_see_it(void** state)
{
    (void)state;
    firn_scene_data plain = parse_good(SCENE("{}"), NULL), full = parse_good(everything, NULL);
    assert_equal(plain.hash, full.hash);
    assert_not_equal(plain.hash, 0);
    firn_scene_data_destroy(&plain);
    firn_scene_data_destroy(&full);
}

static void assert_mistake(const char* text, const char* part)
{
    firn_scene_data s;
    firn_diagnostics d = {0};
    assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_REFUSED_SCENE);
    char* messages = firn_diagnostics_text(&d);
    if (strstr(messages, part) == NULL) fail_msg("'%s' is not in\n%s", part, messages);
    assert_int_equal(d.error_count, 1);
    firn_free(messages);
    firn_diagnostics_destroy(&d);
}

#define KEY(t) "{time: " t ", eye: [1, 2, 3], look_at: [0, 0, 0]}"
#define LAMP(u, v) "{lights: [{center: [0, 0, 0], edge_u: " u ", edge_v: " v "}]}"

// Fields with bounds have a colour scale of their own; any key beside `field` replaces it.
static void bounded_fields_have_a_scale(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(SCENE("{colour_by: {field: broken}}"), NULL);
    assert_int_equal(s.render.colour_by.field, FIRN_FRAME_BROKEN);
    assert_equal(s.render.colour_by.from, 0);
    assert_equal(s.render.colour_by.to, 1);
    assert_int_equal(s.render.colour_by.colours, FIRN_COLOURS_WHITE_BROWN);
    firn_scene_data_destroy(&s);
    s = parse_good(SCENE("{colour_by: {field: phase, to: 2}}"), NULL);
    assert_equal(s.render.colour_by.from, 0);
    assert_equal(s.render.colour_by.to, 2);
    assert_int_equal(s.render.colour_by.colours, FIRN_COLOURS_BLUE_RED);
    firn_scene_data_destroy(&s);
    assert_mistake(SCENE("{colour_by: {field: density}}"), "two different values");
    assert_mistake(SCENE("{colour_by: {field: def_grad_elastic}}"), "'field' cannot be");
}

static void mistakes(void** state)
{
    (void)state;
    assert_mistake(SCENE("{camera: {lens: 1 cm}}"), "'camera' needs the key 'eye', or 'keys'");
    assert_mistake(SCENE("{camera: {eye: [1, 0, 0]}}"), "'camera' needs the key 'look_at'");
    assert_mistake(SCENE("{camera: {keys: [" KEY("1") ", " KEY("1") "]}}"),
                   "1 s does not come after 1 s");
    assert_mistake(SCENE("{camera: {keys: [{time: 0, eye: [1, 1, 1], look_at: [1, 1, 1]}]}}"),
                   "two different points");
    assert_mistake(SCENE("{camera: {keys: [{time: 0, eye: [1, 1, 1]}]}}"),
                   "'camera key' needs the key 'look_at'");
    assert_mistake(SCENE("{camera: {eye: [1, 0, 0], look_at: [0, 0, 0], lens: -1}}"), "'lens'");
    assert_mistake(SCENE(LAMP("[1, 0, 0]", "[-2, 0, 0]")), "must span an area");
    assert_mistake(SCENE(LAMP("[1, 0, 0]", "[0, 0, 0]")), "must span an area");
    assert_mistake(SCENE("{lights: [{center: [0, 0, 0], edge_u: [1, 0, 0]}]}"),
                   "'light' needs the key 'edge_v'");
    assert_mistake(SCENE("{lights: {center: [0, 0, 0]}}"), "'lights' must be a list");
    assert_mistake(SCENE("{sun_size: 0}"), "'sun_size'");
    assert_mistake(SCENE("{shutter: 1.5}"), "'shutter'");
    assert_mistake(SCENE("{samples: 0}"), "'samples'");
    assert_mistake(SCENE("{noise: 2}"), "'noise'");
    assert_mistake(SCENE("{colour_by: {field: warmth}}"), "'field' cannot be 'warmth'");
    assert_mistake(SCENE("{colour_by: {field: density, to: 0}}"), "two different values");
    assert_mistake(SCENE("{colour_by: {colours: pink}}"), "'colours' cannot be 'pink'");
    assert_mistake(SCENE("{medium: {albedo: [1, 1, 1.1]}}"), "'albedo'");
    assert_mistake(SCENE("{medium: {anisotropy: 1}}"), "'anisotropy'");
    assert_mistake(SCENE("{medium: {kernel: round}}"), "'kernel' cannot be 'round'");
    assert_mistake(SCENE("{sky: {picure: a.exr}}"), "did you mean 'picture'?");
}

static void too_many_lamps(void** state)
{
    (void)state;
    firn_text text = {0};
    firn_text_add(&text, "firn: 1\nrender: {lights: [");
    for (int k = 0; k <= FIRN_AREA_LIGHTS_MAX; k++)
        firn_text_add(&text, "%s{center: [0, %d, 0], edge_u: [1, 0, 0], edge_v: [0, 0, 1]}",
                      k > 0 ? ", " : "", k);
    firn_text_add(&text, "]}\n");
    char* all = firn_text_take(&text);
    assert_mistake(all, "'lights' has 17 items, more than 16");
    firn_free(all);
}

static void a_missing_sky_is_a_warning(void** state)
{
    (void)state;
    const char* text = SCENE("{sky: {picture: /no/such/sky.exr}}");
    firn_scene_data s;
    firn_diagnostics d = {0};
    assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_OK);
    assert_true(has_message(&d, 4, 16, "cannot open '/no/such/sky.exr'"));
    firn_diagnostics_destroy(&d);
    firn_scene_data_destroy(&s);
}

// By name, a list is replaced as a whole, the sky's picture is owned, and what is refused or runs
// out of memory leaves everything as it was.
static void lists_and_texts_by_name(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(everything, NULL);
    firn_diagnostics d = {0};
    const char* one = "[{center: [9, 0, 0], edge_u: [1, 0, 0], edge_v: [0, 1, 0]}]";
    assert_int_equal(firn_scene_assign(&s, toy_solvers, 2, "render.lights", one, &d), FIRN_OK);
    assert_equal(s.render.light_count, 1);
    assert_equal(s.render.lights[0].center[0], 9);
    assert_int_equal(firn_scene_assign(&s, toy_solvers, 2, "render.lights",
                                       "[{center: [8, 0, 0], edge_u: [1, 0, 0]}]", &d),
                     FIRN_REFUSED_ARGUMENT);  // items are whole
    assert_equal(s.render.light_count, 1);
    assert_equal(s.render.lights[0].center[0], 9);
    assert_int_equal(
        firn_scene_assign(&s, toy_solvers, 2, "render.sky", "{picture: a.exr, turn: x}", &d),
        FIRN_REFUSED_ARGUMENT);
    assert_string_equal(s.render.sky_picture, "/sky.exr");
    firn_diagnostics_destroy(&d);
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result != FIRN_OK; k++) {
        firn_diagnostics found = {0};
        firn_memory_fail_at(k, k % 2 == 0);
        result = firn_scene_assign(&s, toy_solvers, 2, "render.sky.picture", "/sky.png", &found);
        firn_memory_fail_at(0, false);
        firn_diagnostics_destroy(&found);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_string_equal(s.render.sky_picture, "/sky.exr");
        assert_at_most(firn_memory_read().bytes, before);
        assert_less(k, 1000);  // its own text may go
    }
    assert_string_equal(s.render.sky_picture, "/sky.png");
    firn_scene_data_destroy(&s);
}

#define BODY(look)                                                 \
    "firn: 1\nsnow:\n- shape: {sphere: {radius: 1}}\ncolliders:\n" \
    "- shape: {sphere: {center: [0, -9, 0], radius: 1}}\n" look

static void looks_of_colliders(void** state)
{
    (void)state;
    firn_scene_data plain = parse_good(BODY(""), NULL);
    assert_int_equal(plain.colliders[0].look.kind, FIRN_LOOK_CHOSEN);
    firn_scene_data s =
        parse_good(BODY("  surface: {kind: metal, colour: [0.1, 0.2, 30 %], roughness: 0.3}\n"
                        "- shape: {plane: {point: [0, -10, 0], normal: [0, 1, 0]}}\n"
                        "  surface: {kind: shadow_catcher}\n"
                        "- {shape: {sphere: {radius: 1}}, surface: {kind: hidden}}\n"),
                   NULL);
    firn_scene_data_changed(&s);
    char* text = firn_scene_to_yaml(&s);
    firn_scene_data again = parse_good(text, NULL);
    const firn_scene_data* const both[] = {&s, &again};
    for (int k = 0; k < 2; k++) {
        const firn_look* look = &both[k]->colliders[0].look;
        assert_equal(look->kind, FIRN_LOOK_METAL);
        assert_equal(look->colour[0], 0.1f);
        assert_equal(look->colour[2], 0.3f);
        assert_equal(look->roughness, 0.3f);
        assert_equal(look->specular, 0.04f);
        look = &both[k]->colliders[1].look;
        assert_equal(look->kind, FIRN_LOOK_SHADOW_CATCHER);
        assert_less(look->colour[0], 0);
        assert_equal(both[k]->colliders[2].look.kind, FIRN_LOOK_HIDDEN);
    }
    firn_free(text);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&s);
    s = parse_good(BODY("  surface: {kind: rough, colour: [1, 0, 0]}\n"), NULL);
    assert_equal(s.hash, plain.hash);
    firn_scene_data_destroy(&s);
    firn_scene_data_destroy(&plain);
    assert_mistake(BODY("  surface: {kind: glass}\n"), "'kind' cannot be 'glass'");
    assert_mistake(BODY("  surface: {colour: [2, 0, 0]}\n"), "'colour'");
    assert_mistake(BODY("  surface: {roughness: 0}\n"), "'roughness'");
}

int test_render_keys(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_key_is_read_and_written),
                                       cmocka_unit_test(what_is_not_said),
                                       cmocka_unit_test(bounded_fields_have_a_scale),
                                       cmocka_unit_test(the_hash_does_not_see_it),
                                       cmocka_unit_test(mistakes),
                                       cmocka_unit_test(too_many_lamps),
                                       cmocka_unit_test(a_missing_sky_is_a_warning),
                                       cmocka_unit_test(lists_and_texts_by_name),
                                       cmocka_unit_test(looks_of_colliders)};
    return cmocka_run_group_tests_name("render_keys", tests, NULL, NULL);
}
