// SPDX-License-Identifier: MIT
// Snow on slopes, by scenes as users write them. T51: a sticky slope and Coulomb's friction hold
// it; T55: a smooth one does not brake it, and one with Coulomb's friction as much as it should.
#include "figure.h"
#include "solver/sph/scene_text.h"

#define PI 3.14159265358979324

typedef struct slope {
    double angle, height, spacing;  // [deg], [m], [m]
} slope;

// A block on a plane that is rotated, while the snow's lattice is not.
static firn_sim* block_on(const slope* s, const char* collider, const char* sph)
{
    const double a = s->angle * PI / 180, n[2] = {sin(a), cos(a)};
    char text[900];
    snprintf(text, sizeof text,
             "firn: 1\nsolver: sph\ntime: {frames: 100, fps: 20}\nsph: {spacing: %g%s}\n"
             "snow: [{shape: {box: {center: [%.9g, %.9g, 0], size: [%g, %g, %g], "
             "rotation: [0, 0, %g]}}}]\n"
             "colliders: [{shape: {plane: {normal: [%.9g, %.9g, 0]}}, %s}]\n"
             "output: {preview: false, film: false}\n",
             s->spacing, sph, 0.5 * s->height * n[0], 0.5 * s->height * n[1], 2 * s->height,
             s->height, s->height, -s->angle, n[0], n[1], collider);
    return start(text);
}

// Mean velocity down the slope [m/s].
static double down(const firn_sim* sim, double angle)
{
    firn_field_view v, m;
    assert_int_equal(firn_sim_field(sim, "velocity", &v), FIRN_OK);
    assert_int_equal(firn_sim_field(sim, "mass", &m), FIRN_OK);
    const double t[2] = {cos(angle * PI / 180), -sin(angle * PI / 180)};
    double momentum = 0, mass = 0;
    for (int64_t p = 0; p < v.count; p++) {
        const firn_vec3 u = ((const firn_vec3*)v.data)[p];
        const double own = (double)((const firn_real*)m.data)[p];
        momentum += own * (t[0] * (double)u.x + t[1] * (double)u.y);
        mass += own;
    }
    return momentum / mass;
}

// At rest but for the creep of a viscous film, g sin H h / (0.578 nu) at nu = 10 (T38). With
// friction before the solves it was 0.1 s^-1 H g sin, 50 to 70 mm/s here.
static void T51_sticky_snow_stays(void** state)
{
    (void)state;
    const slope cases[] = {{35, 0.12, 0.02}, {20, 0.16, 0.025}, {45, 0.06, 0.015}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        firn_sim* sim = block_on(&cases[k], "sticky: true", "");
        run_frames(sim, 50);
        const double speed = down(sim, cases[k].angle);
        print_message("%g degrees, %g m: %.2f mm/s after 2.5 s\n", cases[k].angle, cases[k].height,
                      1e3 * speed);
        check_figure(T51_sph, speed);
        firn_sim_destroy(sim);
    }
}

// The order of the paper stays available, with what it costs.
static void T51_paper(void** state)
{
    (void)state;
    const slope s = {35, 0.12, 0.02};
    firn_sim* sim = block_on(&s, "sticky: true", ", contact: paper");
    run_frames(sim, 20);
    assert_near(down(sim, 35), 0.1 * 0.12 * 9.81 * sin(35 * PI / 180), 0.03);
    firn_sim_destroy(sim);
}

static void T55_smooth_slope(void** state)
{
    (void)state;
    const slope cases[] = {{17, 0.1, 0.02}, {30, 0.1, 0.02}, {47, 0.08, 0.016}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        firn_sim* sim = block_on(&cases[k], "friction: 0", "");
        run_frames(sim, 2);
        const double before = down(sim, cases[k].angle);
        run_frames(sim, 6);
        const double gained = down(sim, cases[k].angle) - before;
        const double angle = cases[k].angle * PI / 180;
        check_figure(T55, gained / (0.3 * 9.81 * sin(angle)));
        firn_sim_destroy(sim);
    }
}

// contact: coulomb. Below the angle of friction snow stays, whatever its height.
static void T51_coulomb_holds(void** state)
{
    (void)state;
    const slope cases[] = {{14, 0.12, 0.02}, {35, 0.12, 0.02}};
    const char* friction[] = {"friction: 0.32", "friction: 0.8"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        firn_sim* sim = block_on(&cases[k], friction[k], ", contact: coulomb");
        run_frames(sim, 50);
        const double speed = fabs(down(sim, cases[k].angle));
        print_message("%g degrees, %s: %.3f mm/s after 2.5 s\n", cases[k].angle, friction[k],
                      1e3 * speed);
        check_figure(T51_sph_coulomb, speed);
        firn_sim_destroy(sim);
    }
}

// Above it, it slides with g (sin - mu cos).
static void T55_coulomb_slides(void** state)
{
    (void)state;
    const slope cases[] = {{30, 0.1, 0.02}, {47, 0.08, 0.016}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        firn_sim* sim = block_on(&cases[k], "friction: 0.3", ", contact: coulomb");
        run_frames(sim, 4);
        const double before = down(sim, cases[k].angle);
        run_frames(sim, 6);
        const double gained = down(sim, cases[k].angle) - before;
        const double angle = cases[k].angle * PI / 180;
        check_figure(T55_coulomb, gained / (0.3 * 9.81 * (sin(angle) - 0.3 * cos(angle))));
        firn_sim_destroy(sim);
    }
}

int test_sph_slope(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T51_sticky_snow_stays), cmocka_unit_test(T51_paper),
        cmocka_unit_test(T51_coulomb_holds),     cmocka_unit_test(T55_smooth_slope),
        cmocka_unit_test(T55_coulomb_slides),
    };
    return cmocka_run_group_tests_name("sph_slope", tests, NULL, NULL);
}
