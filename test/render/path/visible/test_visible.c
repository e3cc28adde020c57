// SPDX-License-Identifier: MIT
// Ids, velocities, direct and indirect light of pictures.
#include "render/path/visible/visible.h"

#include <math.h>
#include <string.h>

#include "render/path/develop.h"
#include "render/path/picture_fixture.h"
#include "render/path/visible/crypto_name.h"
#include "render/path/visible/motion_grid.h"

// Published values of MurmurHash3_x86_32 with seed 0.
static void hashes(void** state)
{
    (void)state;
    assert_int_equal(firn_murmur3_32("", 0), 0);
    assert_int_equal(firn_murmur3_32("test", 0), 0xba6bd213u);
    assert_int_equal(firn_murmur3_32("hello", 0), 0x248bfa47u);
    assert_int_equal(firn_murmur3_32("Hello, world!", 0), 0xc0363e43u);
    // no id is infinite, NaN or denormal: these would not survive all programs
    for (int k = 0; k < 5000; k++) {
        char name[32];
        snprintf(name, sizeof name, "collider.%d", k);
        const float id = firn_crypto_float(firn_crypto_id(name));
        assert_true(isnormal(id));
    }
}

static void motion(void** state)
{
    (void)state;
    enum { N = 4096 };
    static firn_vec3 x[N], v[N];
    for (int k = 0; k < N; k++) {  // a lattice of 16^3 points, half a cell apart
        x[k] = firn_v3((firn_real)(k % 16) * 0.05f, (firn_real)(k / 16 % 16) * 0.05f,
                       (firn_real)(k / 256) * 0.05f - 0.4f);
        v[k] = firn_v3(3, -1, 0.5f);
    }
    firn_motion_grid g;
    assert_int_equal(firn_motion_grid_create(&g, x, v, NULL, N, 0.1, NULL), FIRN_OK);
    for (int k = 0; k < N; k += 37) {
        const firn_vec3 at = firn_v3_add(x[k], firn_v3(0.013f, 0.02f, -0.031f));
        const firn_vec3 got = firn_motion_grid_at(&g, at);
        assert_near(got.x, 3, 1e-5);  // float sums of about 64 terms
        assert_near(got.y, -1, 1e-5);
        assert_near(got.z, 0.5, 1e-5);
    }
    assert_equal(firn_motion_grid_at(&g, firn_v3(5, 0, 0)).x, 0);
    firn_motion_grid_destroy(&g);
    // a linear field: exact in the middle, where neighbours lie symmetrically
    for (int k = 0; k < N; k++) v[k] = firn_v3(2 * x[k].y, 0, 0);
    assert_int_equal(firn_motion_grid_create(&g, x, v, NULL, N, 0.1, NULL), FIRN_OK);
    for (int k = 0; k < 5; k++) {
        const firn_real y = 0.3f + 0.05f * (firn_real)k;
        assert_near(firn_motion_grid_at(&g, firn_v3(0.4f, y, 0)).x, 2 * y, 1e-3);
    }
    firn_motion_grid_destroy(&g);
    assert_int_equal(firn_motion_grid_create(&g, x, NULL, NULL, N, 0.1, NULL), FIRN_OK);
    assert_equal(firn_motion_grid_at(&g, x[0]).x, 0);
    firn_motion_grid_destroy(&g);
}

static firn_film look(const firn_scene_data* scene, const ball* b, int threads, firn_visible* out)
{
    firn_film film;
    firn_picture_stats stats;
    firn_error error;
    const firn_picture_options options = {.visible = out};
    use_team(threads);
    const firn_result r = firn_picture_trace(scene, &b->snow, &options, &film, &stats, &error);
    use_team(0);
    if (r != FIRN_OK) fail_msg("%s", error.text);
    return film;
}

static float id_of(const char* name)
{
    return firn_crypto_float(firn_crypto_id(name));
}

// The ball of snow beside a box that has moved for half a second, on a floor, seen by a lens: what
// the ids cover is what the picture's alpha counts, since both trace the same paths.
static void things_of_a_picture(void** state)
{
    (void)state;
    ball* b = make_ball();
    for (int p = 0; p < COUNT; p++) b->v[p] = firn_v3(1, -2, 0);
    firn_scene_data scene =
        scene_of("{shape: {box: {center: [0, -0.05, 0], size: [0.8, 0.1, 0.8]}}}, {shape: {box: "
                 "{center: [-0.3, 0.1, -2], size: [0.2, 0.2, 0.2]}}, velocity: [0, 0, 4]}",
                 ", samples: 12");
    const double eye[3] = {0, 0.2, 1.2}, at[3] = {0, 0.1, 0};
    memcpy(scene.render.eye, eye, sizeof eye);
    memcpy(scene.render.look_at, at, sizeof at);
    scene.render.lens = 0.01;
    firn_visible one, three;
    firn_film film = look(&scene, b, 1, &one), again = look(&scene, b, 3, &three);
    const size_t pixels = (size_t)(film.width * film.height);
    assert_memory_equal(one.velocity[0], three.velocity[0], 11 * pixels * sizeof(float));
    int seen[3] = {0, 0, 0};
    const float ids[3] = {id_of("collider.0"), id_of("collider.1"), id_of("snow")};
    const double speeds[3][3] = {{0, 0, 0}, {0, 0, 4}, {1, -2, 0}};
    for (size_t k = 0; k < pixels; k++) {
        float sum = 0;
        for (int r = 0; r < FIRN_VISIBLE_RANKS; r++) {
            sum += one.cover[r][k];
            assert_true((one.cover[r][k] > 0) == (one.id[r][k] != 0));
            if (r > 0) assert_true(one.cover[r][k] <= one.cover[r - 1][k]);
        }
        assert_near(sum, film.pixels[k].alpha / (float)film.pixels[k].count, 1e-6);
        for (int t = 0; t < 3; t++) {
            if (one.id[0][k] != ids[t] || one.cover[0][k] < 1) continue;
            seen[t]++;
            for (int i = 0; i < 3; i++) assert_near(one.velocity[i][k], speeds[t][i], 1e-4);
        }
    }
    for (int t = 0; t < 3; t++) assert_greater(seen[t], 10);
    const size_t sky = 16, middle = 9 * 32 + 16, left = 10 * 32 + 6;
    assert_equal(one.cover[0][sky], 0);
    assert_equal(one.id[0][middle], ids[2]);
    assert_equal(one.id[0][left], ids[1]);
    firn_visible_destroy(&one);
    firn_visible_destroy(&three);
    firn_film_destroy(&film);
    firn_film_destroy(&again);
    firn_scene_data_destroy(&scene);
    firn_free(b);
}

static firn_film_layers layers_of(const firn_film* film)
{
    firn_film_layers l;
    assert_int_equal(firn_film_develop(film, &l, NULL), FIRN_OK);
    return l;
}

// One plane scatters sunlight and an even sky once: all light is direct, albedo times the light.
// Snow that scatters little has light of one scattering only; white snow mostly of many.
static void direct_and_indirect(void** state)
{
    (void)state;
    ball* b = make_ball();
    ball* none = make_ball();
    none->snow.count = 0;
    firn_picture_stats stats;
    firn_scene_data floor = scene_of(
        "{shape: {plane: {}}, surface: {kind: diffuse, colour: [0.5, 0.5, 0.5]}}", ", samples: 16");
    firn_film film = trace(&floor, &none->snow, 2, &stats);
    firn_film_layers l = layers_of(&film);
    for (int k = 0; k < film.width * film.height; k++) {
        assert_near(l.direct_g[k], l.g[k], 1e-6);
        assert_near(l.indirect_g[k], 0, 1e-6);
    }
    firn_film_layers_destroy(&l);
    firn_film_destroy(&film);
    double share[2];
    for (int white = 0; white < 2; white++) {
        firn_scene_data snow =
            scene_of("", white ? ", samples: 24, medium: {albedo: [1, 1, 1]}"
                               : ", samples: 24, medium: {albedo: [0.2, 0.2, 0.2]}");
        film = trace(&snow, &b->snow, 2, &stats);
        l = layers_of(&film);
        double direct = 0, indirect = 0;
        for (int k = 0; k < film.width * film.height; k++) {
            assert_near(l.direct_g[k] + l.indirect_g[k], l.g[k], 1e-5 * (1 + (double)l.g[k]));
            if (l.a[k] < 1) continue;
            direct += (double)l.direct_g[k];
            indirect += (double)l.indirect_g[k];
        }
        share[white] = direct / (direct + indirect);
        firn_film_layers_destroy(&l);
        firn_film_destroy(&film);
        firn_scene_data_destroy(&snow);
    }
    // each scattering more has a factor of the albedo, 0.2, and of a share that stays in the snow:
    // the direct share is above 1 - 0.2, less 3 % of noise
    assert_in_range((int)(1000 * share[0]), 770, 990);
    assert_less(share[1], 0.4);
    print_message("direct share of snow with albedo 0.2: %.4f, with 1: %.4f\n", share[0], share[1]);
    firn_scene_data_destroy(&floor);
    firn_free(none);
    firn_free(b);
}

// What goes to the file: names, and attributes with the layer's own hash as key.
static void channels_and_attributes(void** state)
{
    (void)state;
    float plane[2] = {0, 0};
    firn_visible v = {.width = 1, .height = 1, .thing_count = 4, .fluid_first = 2};
    for (int i = 0; i < 3; i++) v.velocity[i] = plane;
    for (int r = 0; r < FIRN_VISIBLE_RANKS; r++) v.id[r] = v.cover[r] = plane;
    firn_exr_channel c[FIRN_VISIBLE_CHANNELS_MAX];
    assert_int_equal(firn_visible_channels(&v, true, true, c), FIRN_VISIBLE_CHANNELS_MAX);
    assert_int_equal(firn_visible_channels(&v, true, false, c), 3);
    assert_string_equal(c[2].name, "velocity.Z");
    assert_int_equal(firn_visible_channels(&v, false, true, c), 8);
    assert_string_equal(c[0].name, "crypto_object00.R");
    assert_string_equal(c[7].name, "crypto_object01.A");
    firn_exr_text texts[FIRN_VISIBLE_TEXTS];
    char* manifest;
    assert_true(firn_visible_texts(&v, texts, &manifest));
    char want[64];
    snprintf(want, sizeof want, "%08x", (unsigned)firn_crypto_id("crypto_object"));
    want[7] = 0;
    assert_memory_equal(texts[0].name, "cryptomatte/", 12);
    assert_memory_equal(texts[0].name + 12, want, 7);
    assert_string_equal(texts[0].value, "crypto_object");
    snprintf(want, sizeof want, "\"snow\":\"%08x\"}", (unsigned)firn_crypto_id("snow"));
    assert_contains(manifest, want);
    assert_contains(manifest, "{\"collider.0\":\"");
    assert_contains(manifest, "\"fluid.0\":\"");
    firn_free(manifest);
}

int test_visible(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes), cmocka_unit_test(motion), cmocka_unit_test(things_of_a_picture),
        cmocka_unit_test(direct_and_indirect), cmocka_unit_test(channels_and_attributes)};
    return cmocka_run_group_tests_name("visible", tests, NULL, NULL);
}
