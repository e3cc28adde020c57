// SPDX-License-Identifier: MIT
// Glints: the light that paths leave to crystals comes from them, crystals stay with their snow,
// and their glints are the same whatever the particles' size.
#include "render/path/glints/glints.h"

#include <math.h>
#include <string.h>

#include "render/path/picture_fixture.h"

// A ball of snow under the sun, prepared for its glints.
typedef struct glint_scene {
    firn_scene_data scene;
    firn_lights lights;
    firn_shutter shutter;
    firn_film film;
} glint_scene;

static glint_scene prepare(const firn_picture_snow* snow, const char* render)
{
    glint_scene g = {.scene = scene_of("", render)};
    assert_int_equal(firn_lights_create(&g.lights, &g.scene, NULL), FIRN_OK);
    assert_int_equal(firn_shutter_create(&g.shutter, &g.scene, snow, &g.lights, NULL), FIRN_OK);
    return g;
}

// A ball of packed snow: its particles are a lattice, somewhat disturbed.
static ball* make_packed_ball(void)
{
    enum { HALF = 10 };
    const double spacing = 0.1 / (HALF - 0.2);
    ball* b = make_ball();
    int count = 0;
    for (int k = 0; k < 8 * HALF * HALF * HALF; k++) {
        double at[3];
        const int node[3] = {k % (2 * HALF), k / (2 * HALF) % (2 * HALF), k / (4 * HALF * HALF)};
        for (int a = 0; a < 3; a++)
            at[a] = spacing * (node[a] - HALF + 0.25 + 0.5 * firn_random_unit(a, (uint64_t)k));
        if (at[0] * at[0] + at[1] * at[1] + at[2] * at[2] > 0.01 || count == COUNT) continue;
        b->mass[count] = (firn_real)(400 * spacing * spacing * spacing);
        b->x[count++] = firn_v3((firn_real)at[0], (firn_real)(0.15 + at[1]), (firn_real)at[2]);
    }
    b->snow.count = count;
    b->snow.cell = 2 * spacing;
    return b;
}

static void destroy(glint_scene* g)
{
    firn_film_destroy(&g->film);
    firn_shutter_destroy(&g->shutter);
    firn_lights_destroy(&g->lights);
    firn_scene_data_destroy(&g->scene);
}

// The film's glints, again.
static const float* glints_of(glint_scene* g, const firn_picture_snow* snow)
{
    firn_film_destroy(&g->film);
    assert_int_equal(firn_film_create(&g->film, (int32_t)g->scene.render.width,
                                      (int32_t)g->scene.render.height, NULL),
                     FIRN_OK);
    assert_int_equal(firn_glints_add(&g->film, &g->scene, snow, &g->shutter, &g->lights, NULL),
                     FIRN_OK);
    assert_non_null(g->film.glints);
    return g->film.glints;
}

static double sum_of(const glint_scene* g, int power)
{
    double sum = 0;
    for (int k = 0; k < g->film.width * g->film.height; k++)
        sum += pow((double)g->film.glints[3 * k + 1], power);
    return sum;
}

// Over all directions of a facet the cosine is uniform.
static void the_lobe_has_mean_one(void** state)
{
    (void)state;
    double sum = 0;
    const int n = 2000000;
    for (int k = 0; k < n; k++) sum += (double)firn_glint_lobe((float)((k + 0.5) / n)) / n;
    assert_near(sum, 1, 1e-3);
    assert_equal(firn_glint_lobe(-1), firn_glint_lobe(1));
    assert_equal(firn_glint_lobe(0.99f), 0);
}

// Mean light of a picture, green.
static double mean_light(const firn_scene_data* scene, const firn_picture_snow* snow)
{
    firn_picture_stats stats;
    firn_film film = trace(scene, snow, 2, &stats);
    double sum = 0;
    for (int y = 0; y < film.height; y++)
        for (int x = 0; x < film.width; x++) sum += light_at(&film, x, y, 1);
    firn_film_destroy(&film);
    return sum;
}

// What the paths of a picture lose to the crystals, by the same random numbers, is what those bring
// on average over many draws of crystals: within 4 standard errors, and a tenth for particles that
// end at other places than the voxels they fill.
static void energy_is_kept(void** state)
{
    (void)state;
    enum { DRAWS = 48 };
    ball* b = make_packed_ball();
    static uint32_t id[COUNT];
    b->snow.id = id;
    glint_scene g = prepare(&b->snow, ", samples: 200, medium: {glints: 1}");
    const double with = mean_light(&g.scene, &b->snow);
    firn_scene_data without_scene = g.scene;
    without_scene.render.medium.glints = 0;
    const double lost = mean_light(&without_scene, &b->snow) - with;
    double sum = 0, square = 0;
    for (uint32_t k = 0; k < DRAWS; k++) {
        for (uint32_t p = 0; p < COUNT; p++) id[p] = k * COUNT + p;
        glints_of(&g, &b->snow);
        const double found = sum_of(&g, 1);
        sum += found / DRAWS;
        square += found * found / DRAWS;
    }
    const double error = sqrt((square - sum * sum) / (DRAWS - 1));
    print_message("lost %.3f, by crystals %.3f +- %.3f\n", lost, sum, error);
    assert_greater(lost, 0.005 * with);
    assert_near(sum, lost, 4 * error + 0.1 * lost);
    destroy(&g);
    firn_free(b);
}

static double difference(const float* a, const float* b, int values)
{
    double sum = 0;
    for (int k = 0; k < values; k++) sum += fabs((double)a[k] - (double)b[k]);
    return sum;
}

// Threads do not matter. Snow that moves with camera and sun at rest keeps its crystals: when all
// but the sun moves together the picture is the same, and a sun that turns by a tenth of a degree
// changes it little, one that turns by ten degrees altogether.
static void crystals_stay(void** state)
{
    (void)state;
    ball* b = make_packed_ball();
    const char* render = ", medium: {glints: 1}";
    glint_scene g = prepare(&b->snow, render);
    const int values = 3 * (int)g.scene.render.width * (int)g.scene.render.height;
    float* first = firn_alloc((size_t)values, sizeof *first);
    assert_non_null(first);
    use_team(1);
    memcpy(first, glints_of(&g, &b->snow), (size_t)values * sizeof *first);
    use_team(3);
    assert_memory_equal(first, glints_of(&g, &b->snow), (size_t)values * sizeof *first);
    use_team(0);
    const double all = 2 * sum_of(&g, 1);
    assert_greater(all, 1);
    static const double turns[2] = {0.1, 10};  // [degrees]
    for (int k = 0; k < 2; k++) {
        const firn_f3 s = g.lights.sun_to, t = g.lights.sun_s;
        const float a = (float)(turns[k] * 0.0174532925);
        glint_scene other = g;
        other.film = (firn_film){0};
        other.lights.sun_to =
            (firn_f3){s.x * cosf(a) + t.x * sinf(a), s.y * cosf(a) + t.y * sinf(a),
                      s.z * cosf(a) + t.z * sinf(a)};
        const double changed = difference(first, glints_of(&other, &b->snow), values) / 3 / all;
        print_message("sun turned by %g degrees: %.2f of the light moved\n", turns[k], changed);
        if (k == 0) assert_less(changed, 0.05);
        if (k == 1) assert_greater(changed, 0.3);
        firn_film_destroy(&other.film);
    }
    for (int p = 0; p < COUNT; p++) b->x[p].x += 1;
    for (int c = 0; c < g.shutter.count; c++) {
        g.shutter.at[c].camera.eye.x += 1;
        g.shutter.at[c].medium.low[0] += 1;
    }
    const double moved = difference(first, glints_of(&g, &b->snow), values) / 3 / all;
    assert_less(moved, 1e-3);
    firn_free(first);
    destroy(&g);
    firn_free(b);
}

// Each particle in eight: as much light, in glints as bright.
static void particles_do_not_matter(void** state)
{
    (void)state;
    enum { DRAWS = 12, FINE = 8 * COUNT };
    ball* b = make_packed_ball();
    static firn_vec3 x[FINE];
    static firn_real mass[FINE];
    static uint32_t id[FINE];
    glint_scene g = prepare(&b->snow, ", medium: {glints: 1, kernel: spline}");
    for (int k = 0; k < FINE; k++) {
        const firn_real side = (firn_real)(0.25 * firn_shutter_spacing(&g.scene, &b->snow));
        x[k] = firn_v3_add(
            b->x[k / 8], firn_v3(k & 1 ? side : -side, k & 2 ? side : -side, k & 4 ? side : -side));
        mass[k] = b->mass[k / 8] / 8;
    }
    const firn_picture_snow fine = {
        .x = x, .mass = mass, .id = id, .count = FINE, .cell = b->snow.cell / 2, .time = 0.5};
    b->snow.id = id;
    double sum[2] = {0, 0}, square[2] = {0, 0};
    for (uint32_t draw = 0; draw < DRAWS; draw++)
        for (int k = 0; k < 2; k++) {
            for (uint32_t p = 0; p < FINE; p++) id[p] = draw * FINE + p;
            glints_of(&g, k == 0 ? &b->snow : &fine);
            sum[k] += sum_of(&g, 1);
            square[k] += sum_of(&g, 2);
        }
    print_message("light %.2f and %.2f, of glints of %.3f and %.3f\n", sum[0], sum[1],
                  square[0] / sum[0], square[1] / sum[1]);
    assert_near(sum[1] / sum[0], 1, 0.3);
    assert_near(square[1] / sum[1] / (square[0] / sum[0]), 1, 0.35);
    destroy(&g);
    firn_free(b);
}

int test_glints(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lobe_has_mean_one), cmocka_unit_test(energy_is_kept),
        cmocka_unit_test(crystals_stay), cmocka_unit_test(particles_do_not_matter)};
    return cmocka_run_group_tests_name("glints", tests, NULL, NULL);
}
