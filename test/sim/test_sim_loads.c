// SPDX-License-Identifier: MIT
// Forces on colliders balance the momentum of the snow, in every solver and every mode of it; they
// are those of statics where snow rests; they do not depend on the number of threads.
#include "collider_at.h"
#include "figure.h"
#include "play_fixture.h"

typedef struct mode {
    const char *solver, *keys, *simd;
} mode;

static const mode modes[] = {
    {"mpm", "mpm: {cell: 0.04, integrator: explicit}\n", NULL},
    {"mpm", "mpm: {cell: 0.04, integrator: explicit}\n", "plain"},
    {"mpm", "mpm: {cell: 0.04, integrator: explicit, grip: 0}\n", NULL},
    {"mpm", "mpm: {cell: 0.04, integrator: explicit, transfer: apic}\n", NULL},
    {"mpm", "mpm: {cell: 0.04, integrator: semi-implicit}\n", NULL},
    {"mpm", "mpm: {cell: 0.04, integrator: semi-implicit}\n", "plain"},
    {"mpm", "mpm: {cell: 0.04, integrator: semi-implicit, preconditioner: diagonal}\n", NULL},
    {"sph", "sph: {spacing: 0.03}\n", NULL},
    {"sph", "sph: {spacing: 0.03}\n", "plain"},
    {"sph", "sph: {spacing: 0.03, contact: paper}\n", NULL},
    {"sph", "sph: {spacing: 0.03, elasticity: combined}\n", NULL},
    {"grains", "grains: {radius: 0.01}\n", NULL},
    {"grains", "grains: {radius: 0.01}\n", "plain"},
    {"ballistic", "ballistic: {dt: 0.002, spacing: 0.03}\n", NULL},
};
enum { MODES = sizeof modes / sizeof *modes };

#define FLOOR "  - {shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}, friction: 0.3}\n"

// A block that is thrown against a sphere on the floor; one that a turning plow hits in a corner;
// one that falls onto a sticky slope. Gravity leans, and the origin is not in the middle.
static const char* const scenes[] = {
    "gravity: [0.5, -9.81, 0.2]\n"
    "snow:\n  - {shape: {box: {center: [0.1, 0.065, 0.02], size: [0.2, 0.12, 0.12]}},\n"
    "     velocity: [1.2, -1, 0.3]}\n"
    "colliders:\n" FLOOR
    "  - {shape: {sphere: {center: [0.28, 0.05, 0], radius: 0.08}}, friction: 0.5}\n",
    "gravity: [0, -9.81, 0]\n"
    "snow:\n  - shape: {box: {center: [1.1, 0.065, 0.02], size: [0.2, 0.12, 0.12]}}\n"
    "colliders:\n" FLOOR
    "  - {shape: {plane: {point: [1.21, 0, 0], normal: [-1, 0, 0]}}, friction: 0.1}\n"
    "  - {shape: {box: {center: [0, 0.1, 0], size: [0.1, 0.2, 0.4]}}, position: [0.95, 0.001, 0],\n"
    "     pivot: [0.95, 0.001, 0], velocity: [1.5, 0, 0], spin: [0, 2, 0]}\n",
    "gravity: [0, -9.81, 0]\n"
    "snow:\n  - {shape: {box: {center: [0, 0.11, 0], size: [0.16, 0.12, 0.12]}},\n"
    "     velocity: [0, -1, 0]}\n"
    "colliders:\n  - {shape: {plane: {point: [0, 0, 0], normal: [0.5, 0.866, 0]}}, sticky: true}\n",
};

enum { SCENES = sizeof scenes / sizeof *scenes };

static firn_sim* start(const mode* m, const char* scene, int threads)
{
    char text[2000];
    snprintf(text, sizeof text, "firn: 1\nsolver: %s\ntime: {frames: 100, fps: 100}\n%s%s",
             m->solver, m->keys, scene);
    firn_scene* data;
    assert_int_equal(firn_scene_create(&data), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    if (firn_scene_load_text(data, text, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(data));
    firn_sim_def def = firn_default_sim_def();
    def.threads = threads;
    def.simd = m->simd;
    firn_sim* sim = NULL;
    firn_error error;
    if (firn_sim_create(data, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(data);
    return sim;
}

static const void* field(const firn_sim* sim, const char* name, int64_t* out_count)
{
    firn_field_view view;
    if (firn_sim_field(sim, name, &view) != FIRN_OK) return NULL;
    *out_count = view.count;
    return view.data;
}

// Mass, momentum and angular momentum about the origin, with that of the spins of grains.
typedef struct motion {
    double mass, p[3], l[3];
} motion;

static motion motion_of(const firn_sim* sim)
{
    int64_t n = 0;
    const firn_real *mass = field(sim, "mass", &n), *radius = field(sim, "radius", &n);
    const firn_vec3 *x = field(sim, "position", &n), *v = field(sim, "velocity", &n);
    const firn_vec3* spin = field(sim, "spin", &n);
    motion all = {0};
    for (int64_t k = 0; k < n; k++) {
        const double m = (double)mass[k];
        const double a[3] = {(double)x[k].x, (double)x[k].y, (double)x[k].z};
        const double u[3] = {(double)v[k].x, (double)v[k].y, (double)v[k].z};
        all.mass += m;
        for (int d = 0; d < 3; d++) {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            all.p[d] += m * u[d];
            all.l[d] += m * (a[e] * u[f] - a[f] * u[e]);
        }
        if (spin == NULL) continue;
        const double inertia = 4 * m * (double)radius[k] * (double)radius[k];
        all.l[0] += inertia * (double)spin[k].x;
        all.l[1] += inertia * (double)spin[k].y;
        all.l[2] += inertia * (double)spin[k].z;
    }
    return all;
}

static void add_cross(double out[3], const double a[3], const double b[3], double by)
{
    for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        out[d] += by * (a[e] * b[f] - a[f] * b[e]);
    }
}

static double length(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

// Does a step. Adds the impulses of all colliders, and the angular ones about the origin; `size`
// grows by the sum of their lengths.
static double do_step(firn_sim* sim, double impulse[3], double angular[3], double size[2])
{
    if (firn_sim_step(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    double seconds = 0;
    for (int c = 0; c < firn_sim_body_count(sim); c++) {
        firn_body_load load;
        assert_int_equal(firn_sim_body_load(sim, collider_at(sim, c), &load, NULL), FIRN_OK);
        double turn[3] = {0};
        add_cross(turn, load.about, load.force, load.seconds);
        for (int d = 0; d < 3; d++) {
            impulse[d] += load.seconds * load.force[d];
            turn[d] += load.seconds * load.torque[d];
            angular[d] += turn[d];
        }
        size[0] += load.seconds * length(load.force);
        size[1] += length(turn);
        seconds = load.seconds;
    }
    return seconds;
}

// |impulses on colliders + change of momentum - m g t|, relative
static double imbalance(const mode* m, const char* scene)
{
    firn_sim* sim = start(m, scene, 1);
    const motion before = motion_of(sim);
    double impulse[3] = {0}, angular[3] = {0}, size[2] = {0}, time = 0;
    while (firn_sim_read(sim).time < 0.02) time += do_step(sim, impulse, angular, size);
    const motion after = motion_of(sim);
    double miss[3];
    for (int d = 0; d < 3; d++)
        miss[d] =
            after.p[d] - before.p[d] + impulse[d] - before.mass * sim->scene.gravity[d] * time;
    assert_true(size[0] > 0.01 * before.mass * 9.81 * time);  // they touch
    firn_sim_destroy(sim);
    return length(miss) / (size[0] + before.mass * 9.81 * time);
}

// Each mode in one of the scenes, and the usual mode of each solver in all of them.
static void balances(void** state)
{
    (void)state;
    double worst = 0;
    for (int k = 0; k < MODES; k++)
        for (int s = 0; s < SCENES; s++) {
            const bool usual = k == 0 || strcmp(modes[k].solver, modes[k - 1].solver) != 0;
            if (usual || s == k % SCENES) worst = fmax(worst, imbalance(&modes[k], scenes[s]));
        }
    check_figure(forces_balance, worst);
}

// The same for angular momentum, which grains conserve.
static void torques_balance(void** state)
{
    (void)state;
    const mode grains = {"grains", "grains: {radius: 0.01}\n", NULL};
    for (int s = 0; s < SCENES; s++) {
        firn_sim* sim = start(&grains, scenes[s], 1);
        const motion before = motion_of(sim);
        double impulse[3] = {0}, angular[3] = {0}, size[2] = {0}, gravity[3] = {0};
        while (firn_sim_read(sim).time < 0.02) {
            int64_t n = 0;
            const firn_real* mass = field(sim, "mass", &n);
            const firn_vec3* x = field(sim, "position", &n);
            double first[3] = {0};
            for (int64_t k = 0; k < n; k++) {
                first[0] += (double)mass[k] * (double)x[k].x;
                first[1] += (double)mass[k] * (double)x[k].y;
                first[2] += (double)mass[k] * (double)x[k].z;
            }
            const double seconds = do_step(sim, impulse, angular, size);
            add_cross(gravity, first, sim->scene.gravity, seconds);
        }
        const motion after = motion_of(sim);
        double miss[3];
        for (int d = 0; d < 3; d++) miss[d] = after.l[d] - before.l[d] + angular[d] - gravity[d];
        check_figure(forces_torque_balance, length(miss) / size[1]);
        firn_sim_destroy(sim);
    }
}

// Integers are added: the bits of all loads are the same for 1 and 5 threads.
static void same_for_any_threads(void** state)
{
    (void)state;
    const int few[] = {0, 4, 7, 11};
    for (size_t k = 0; k < sizeof few / sizeof *few; k++) {
        firn_body_load one[3], more;
        for (int threads = 1; threads < 6; threads += 4) {
            firn_sim* sim = start(&modes[few[k]], scenes[1], threads);
            for (int step = 0; step < 3; step++)
                if (firn_sim_step(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
            for (int c = 0; c < 3; c++) {
                assert_int_equal(firn_sim_body_load(sim, collider_at(sim, c), &more, NULL),
                                 FIRN_OK);
                if (threads == 1) one[c] = more;
                assert_memory_equal(&one[c], &more, sizeof more);
            }
            firn_sim_destroy(sim);
        }
    }
}

static void a_frame_is_the_mean_of_its_steps(void** state)
{
    (void)state;
    firn_sim* sim = start(&modes[0], scenes[0], 1);
    firn_body_load step, frame;
    assert_int_equal(firn_sim_body_load(sim, collider_at(sim, 1), &step, &frame), FIRN_OK);
    assert_true(step.seconds == 0 && frame.seconds == 0 && step.force[1] == 0);
    double force[3] = {0}, torque[3] = {0}, seconds = 0;
    for (int64_t done = 0; done < 3;) {
        if (firn_sim_step(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
        assert_int_equal(firn_sim_body_load(sim, collider_at(sim, 1), &step, &frame), FIRN_OK);
        seconds += step.seconds;
        force[0] += step.seconds * step.force[0];
        torque[2] += step.seconds * step.torque[2];
        if (firn_sim_read(sim).frame == done) continue;
        done = firn_sim_read(sim).frame;
        if (done < 3) force[0] = torque[2] = seconds = 0;
    }
    assert_near(frame.seconds, 0.01, 1e-9);
    assert_near(frame.force[0], force[0] / seconds, 1e-9 * fabs(frame.force[0]));
    assert_near(frame.torque[2], torque[2] / seconds, 1e-9 * fabs(frame.torque[2]));
    assert_true(frame.force[0] != 0);
    assert_int_equal(firn_sim_body_load(sim, collider_at(sim, 2), &step, NULL),
                     FIRN_REFUSED_ARGUMENT);
    assert_non_null(strstr(firn_sim_error(sim), "no collider 2"));
    assert_int_equal(firn_sim_body_load(sim, collider_at(sim, -1), NULL, NULL),
                     FIRN_REFUSED_ARGUMENT);
    firn_sim_destroy(sim);
}

int test_sim_loads(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balances),
        cmocka_unit_test(torques_balance),
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(a_frame_is_the_mean_of_its_steps),
    };
    return cmocka_run_group_tests_name("sim_loads", tests, NULL, NULL);
}
