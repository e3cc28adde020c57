// SPDX-License-Identifier: MIT
// Light inside the snow: white snow in even light is as bright as the light, colours part with
// depth, the sunny side is brighter, and threads change nothing.
#include "render/preview/snow/snow_light.h"

#include "core/hash.h"
#include "render/preview/light_view.h"
#include "team_use.h"

static const double white[3] = {1, 1, 1}, blue[3] = {0.9, 0.95, 1};

// `below` or `surface` at the end of a step of `out` [m] from the ball's middle.
static firn_rgb read_at(const light_view* l, float (*values)[4], firn_vec3 direction, firn_real out)
{
    const firn_snow_volume* v = &l->view.volume;
    const firn_vec3 d = firn_v3_normalize(direction, direction);
    const firn_grid_point g =
        firn_snow_to_grid(v, firn_v3_madd(firn_v3(0, (firn_real)0.1, 0), out, d));
    const int32_t block = firn_snow_block_at(v, g);
    assert_at_least(block, 0);
    firn_rgb u;
    assert_true(firn_snow_light_in(v, values, block, g, &u));
    return u;
}

static firn_rgb light_at(const light_view* l, firn_vec3 direction, firn_real out)
{
    return read_at(l, l->view.light.below, direction, out);
}

static void white_snow_in_even_light(void** state)
{
    (void)state;
    light_view l;
    setup_view(&l, white);
    set_even_light(&l, firn_rgb_of(0.4f, 0.5f, 0.8f));
    assert_int_equal(firn_snow_light_build(&l.view, NULL), FIRN_OK);
    const firn_vec3 sides[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {1, 1, -1}};
    for (int k = 0; k < 5; k++) {
        // hidden sky comes back from white snow, round after round; 3 % is still on its way
        const firn_rgb u = light_at(&l, sides[k], (firn_real)0.092);
        assert_near(u.r / 0.4f, 1, 0.03f);
        assert_near(u.b / 0.8f, 1, 0.03f);
        assert_near(u.g / u.r, 1.25f, 0.01f);
    }
    teardown_view(&l);
}

static void colours_part(void** state)
{
    (void)state;
    light_view l;
    setup_view(&l, blue);
    set_even_light(&l, firn_rgb_of(1, 1, 1));
    assert_int_equal(firn_snow_light_build(&l.view, NULL), FIRN_OK);
    // surfaces give back what deep snow does (T33), less the sky that the ball itself hides
    const firn_rgb out = read_at(&l, l.view.light.surface, firn_v3(0, 1, 0), (firn_real)0.092);
    assert_greater(out.r, 0.32f);
    assert_less(out.r, 0.40f);
    assert_greater(out.g, 0.44f);
    assert_less(out.g, 0.54f);
    assert_greater(out.b, 0.97f);
    assert_less(out.b, 1.01f);
    // deep inside only blue is left
    const firn_rgb deep = light_at(&l, firn_v3(0, 1, 0), (firn_real)0.02);
    assert_less(deep.r, 0.02f);
    assert_greater(deep.b, 0.5f);
    // and the coarse level says the same, in blocks without a surface too
    const firn_snow_volume* v = &l.view.volume;
    double sum[4] = {0, 0, 0, 0};
    for (int32_t k = 0; k < v->size[0] * v->size[1] * v->size[2]; k++)
        for (int q = 0; q < 4; q++) sum[q] += (double)l.view.light.coarse[k][q];
    // T33's values, less what the ball hides of the sky, which differs from place to place
    assert_near(sum[0] / sum[3], 0.36, 0.05);
    assert_near(sum[1] / sum[3], 0.486, 0.06);
    teardown_view(&l);
}

static void sunny_side(void** state)
{
    (void)state;
    light_view l;
    setup_view(&l, blue);
    assert_int_equal(firn_snow_light_build(&l.view, NULL), FIRN_OK);
    const firn_vec3 sun = l.view.day.sun;
    const firn_rgb lit = light_at(&l, sun, (firn_real)0.092);
    const firn_rgb dark = light_at(&l, firn_v3_scale(sun, -1), (firn_real)0.092);
    assert_greater(lit.r, 2.5f * dark.r);
    assert_greater(lit.b, 1.5f * dark.b);
    assert_greater(dark.b / dark.r, lit.b / lit.r);
    teardown_view(&l);
}

static uint64_t hash_of(int threads)
{
    light_view l;
    setup_view(&l, blue);
    use_team(threads);
    assert_int_equal(firn_snow_light_build(&l.view, NULL), FIRN_OK);
    use_team(0);
    const firn_snow_volume* v = &l.view.volume;
    const size_t window = (size_t)v->size[0] * (size_t)v->size[1] * (size_t)v->size[2];
    uint64_t h = firn_hash(l.view.light.below,
                           (size_t)v->block_count * FIRN_SNOW_MID * sizeof *l.view.light.below, 0);
    h = firn_hash(l.view.light.coarse, window * sizeof *l.view.light.coarse, h);
    teardown_view(&l);
    return h;
}

static void same_for_any_threads(void** state)
{
    (void)state;
    const uint64_t one = hash_of(1);
    for (int threads = 2; threads <= 5; threads++) assert_int_equal(one, hash_of(threads));
}

static void no_snow(void** state)
{
    (void)state;
    firn_view view = {.points = {.count = 0}};
    assert_int_equal(firn_snow_light_build(&view, NULL), FIRN_OK);
    assert_null(view.light.below);
    firn_snow_light_destroy(&view.light);
}

int test_snow_light(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_snow_in_even_light),
        cmocka_unit_test(colours_part),
        cmocka_unit_test(sunny_side),
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(no_snow),
    };
    return cmocka_run_group_tests_name("snow_light", tests, NULL, NULL);
}
