// SPDX-License-Identifier: MIT
// T71: viscous fluids. Couette and Poiseuille flow between two walls 20 spacings apart, of
// particles that stay where they are, in the disorder of a fluid: on a lattice the force of Weiler
// et al. 2018 has the crystal's directions (0.71 of the viscosity along its axes). The flow is
// along z, and particles beside the period in x and z have the velocities of their images. Rigid
// rotation of a free block, and steps far beyond the explicit limit.
#include "solver/sph/fluid.h"

#define H 0.01
#define ACROSS 20
#define PERIOD 6  // spacings along x and z
#define INSIDE (PERIOD * ACROSS * PERIOD)
#define GHOSTS 3.0  // spacings on either side
#define RHO 1000.0
#define MU 50.0

// dt of an explicit scheme, about: 0.1 rho h^2 / mu.
#define EXPLICIT (0.1 * RHO * H * H / MU)

// Pushes particle i away from another one at distance d [h].
static void push(double d[3], double to[3])
{
    const double reach = 1.7, r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (!(r2 < reach * reach) || !(r2 > 0)) return;
    const double r = sqrt(r2), f = (1 - r / reach) / r;
    for (int k = 0; k < 3; k++) to[k] += f * d[k];
}

static double wrapped(double d)
{
    return d - PERIOD * floor(d / PERIOD + 0.5);
}

// Positions [h] like those of a fluid: random ones that have pushed each other apart. Walls mirror
// them.
static void disorder(double (*x)[3])
{
    static double move[INSIDE][3];
    any_source r = {5800, 0};
    for (int i = 0; i < INSIDE; i++) {
        x[i][0] = any_between(&r, 0, PERIOD);
        x[i][1] = any_between(&r, 0, ACROSS);
        x[i][2] = any_between(&r, 0, PERIOD);
    }
    for (int round = 0; round < 120; round++) {
        memset(move, 0, sizeof move);
        for (int i = 0; i < INSIDE; i++)
            for (int j = 0; j < INSIDE; j++) {
                const double dx = wrapped(x[i][0] - x[j][0]), dz = wrapped(x[i][2] - x[j][2]);
                if (fabs(dx) > 1.7 || fabs(dz) > 1.7) continue;
                push((double[3]){dx, x[i][1] - x[j][1], dz}, move[i]);
                push((double[3]){dx, x[i][1] + x[j][1], dz}, move[i]);
                push((double[3]){dx, x[i][1] + x[j][1] - 2 * ACROSS, dz}, move[i]);
            }
        for (int i = 0; i < INSIDE; i++) {
            for (int k = 0; k < 3; k++) x[i][k] += 0.2 * move[i][k];
            x[i][0] -= PERIOD * floor(x[i][0] / PERIOD);
            x[i][1] = fmin(fmax(x[i][1], 0.3), ACROSS - 0.3);
            x[i][2] -= PERIOD * floor(x[i][2] / PERIOD);
        }
    }
}

typedef struct channel {
    world* w;
    uint32_t* image;  // owned: of each id, the id whose velocity it has
} channel;

static channel channel_create(double top_speed)
{
    static double x[INSIDE][3];
    static bool known;
    if (!known) disorder(x);
    known = true;
    channel c = {.w = fluid_world(H, RHO, MU)};
    const int most = 8 * INSIDE;
    c.image = malloc(sizeof *c.image * (size_t)most);
    for (int a = -1; a <= 1; a++)
        for (int b = -1; b <= 1; b++)
            for (int i = 0; i < INSIDE; i++) {
                const int shift[2] = {a == 0 ? 0 : a == -1 ? 1 : -1, b == 0 ? 0 : b == -1 ? 1 : -1};
                const double px = x[i][0] + PERIOD * shift[0], pz = x[i][2] + PERIOD * shift[1];
                const bool near =
                    px > -GHOSTS && px < PERIOD + GHOSTS && pz > -GHOSTS && pz < PERIOD + GHOSTS;
                if (!near) continue;
                assert_true(c.w->seeds.count < most);
                c.image[c.w->seeds.count] = (uint32_t)i;  // replaced below by its id
                world_add(
                    c.w,
                    firn_v3((firn_real)(px * H), (firn_real)(x[i][1] * H), (firn_real)(pz * H)),
                    world_mass(c.w));
            }
    uint32_t own[INSIDE];
    for (firn_local k = 0; k < c.w->seeds.count; k++) {
        const firn_vec3 p = c.w->seeds.position[k];
        if (p.x >= 0 && (double)p.x < PERIOD * H && p.z >= 0 && (double)p.z < PERIOD * H)
            own[c.image[k]] = (uint32_t)k;
    }
    for (firn_local k = 0; k < c.w->seeds.count; k++) c.image[k] = own[c.image[k]];
    world_plane(c.w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0);
    firn_collider* lid =
        world_plane(c.w, firn_v3(0, (firn_real)(ACROSS * H), 0), firn_v3(0, -1, 0), 0);
    lid->motion.velocity = firn_v3(0, 0, (firn_real)top_speed);
    world_start(c.w);
    return c;
}

static void channel_destroy(channel* c)
{
    world_destroy(c->w);
    free(c->image);
}

// Steps of the viscosity alone, with a body force `g` [m/s^2] along z.
static void flow(channel* c, double dt, int steps, double g)
{
    world* w = c->w;
    firn_sph* m = w->m;
    firn_local* of = malloc(sizeof *of * (size_t)m->p.count);
    firn_vec3* v = malloc(sizeof *v * (size_t)m->p.count);
    w->scene.gravity[1] = 0;
    w->scene.gravity[2] = g;
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_02_GRADIENT_CORRECTION, dt);
    for (firn_local p = 0; p < m->p.count; p++) of[m->p.id[p]] = p;
    for (int k = 0; k < steps; k++) {
        world_stages(w, FIRN_SPH_03_OTHER_ACCELERATIONS, FIRN_SPH_04_VISCOSITY, dt);
        for (firn_local p = 0; p < m->p.count; p++) v[p] = world_v3(m->w.v_star[p]);
        for (firn_local p = 0; p < m->p.count; p++) m->p.velocity[p] = v[of[c->image[m->p.id[p]]]];
    }
    free(of);
    free(v);
}

// Difference to the exact profile over all particles, L2; out_peak: mean in the middle tenth.
static double difference(const channel* c, double (*exact)(double y, double size), double size,
                         double* out_peak)
{
    const firn_sph_particles* p = &c->w->m->p;
    double off = 0, all = 0, middle = 0, in_middle = 0;
    for (firn_local i = 0; i < p->count; i++) {
        if (c->image[p->id[i]] != p->id[i]) continue;
        const double y = (double)p->position[i].y / (ACROSS * H), v = (double)p->velocity[i].z;
        const double e = exact(y, size);
        off += (v - e) * (v - e);
        all += e * e;
        if (fabs(y - 0.5) > 0.05) continue;
        middle += v;
        in_middle++;
    }
    *out_peak = middle / in_middle;
    return sqrt(off / all);
}

static double straight(double y, double size)
{
    return size * y;
}

static double parabola(double y, double size)
{
    return 4 * size * y * (1 - y);
}

// Near its end, so that the flow takes fewer steps: what is left of a difference is a twentieth.
static void begin_as(const channel* c, double (*profile)(double y, double size), double size)
{
    firn_sph_refresh_pointers(c->w->m);
    const firn_sph_particles* p = &c->w->m->p;
    for (firn_local i = 0; i < p->count; i++)
        p->velocity[i].z = (firn_real)profile((double)p->position[i].y / (ACROSS * H), size);
}

static void T71_couette(void** state)
{
    (void)state;
    channel c = channel_create(1);
    double middle;
    begin_as(&c, straight, 1);
    flow(&c, 4 * EXPLICIT, 350, 0);
    const double off = difference(&c, straight, 1, &middle);
    print_message("Couette: %.4f of the lid's speed in the middle\n", middle);
    check_figure(T71_couette, off);
    channel_destroy(&c);
}

static void T71_poiseuille(void** state)
{
    (void)state;
    const double L = ACROSS * H, g = 1, peak = RHO * g * L * L / (8 * MU);
    channel c = channel_create(0);
    double most;
    begin_as(&c, parabola, peak);
    flow(&c, 4 * EXPLICIT, 350, g);
    const double off = difference(&c, parabola, peak, &most);
    print_message("Poiseuille: peak %.5f of %.5f m/s\n", most, peak);
    check_figure(T71_poiseuille_peak, most / peak);
    check_figure(T71_poiseuille, off);
    channel_destroy(&c);
}

static double angular_momentum(const world* w)
{
    double sum = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_vec3 x = w->m->p.position[p], v = w->m->p.velocity[p];
        sum += (double)w->m->p.mass[p] * ((double)x.x * (double)v.y - (double)x.y * (double)v.x);
    }
    return sum;
}

static world* spinning(double mu, double omega, int n)
{
    world* w = fluid_world(H, RHO, mu);
    w->scene.gravity[1] = 0;
    const firn_real low = (firn_real)(-0.5 * (n - 1) * H);
    world_lattice(w, firn_v3(low, low, low), n, n, n, H);
    world_start(w);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_vec3 x = w->m->p.position[p];
        w->m->p.velocity[p] = firn_v3(-(firn_real)omega * x.y, (firn_real)omega * x.x, 0);
    }
    return w;
}

static void T71_rotation(void** state)
{
    (void)state;
    const double omega = 2, turn = 6.283185307179586 / omega;
    world* w = spinning(MU, omega, 8);
    const double before = angular_momentum(w);
    while (w->time < turn) world_step(w, 5e-3);
    const double lost = 1 - angular_momentum(w) / before;
    print_message("a turn: %.3e of the angular momentum lost\n", lost);
    check_figure(T71_rotation, fabs(lost));
    world_destroy(w);
}

// Steps a hundred times the explicit limit: noise decays, momentum stays.
static void T71_stiff(void** state)
{
    (void)state;
    const double dt = 1e-3, mu = 100 * 0.1 * RHO * H * H / dt;
    world* w = spinning(mu, 1, 7);
    any_source r = {58, 0};
    for (firn_local p = 0; p < w->m->p.count; p++)
        w->m->p.velocity[p] = firn_v3_add(w->m->p.velocity[p], any_vec3(&r, 0.05));
    const double before = angular_momentum(w);
    double kinetic = INFINITY;
    for (int k = 0; k < 30; k++) {
        world_step(w, dt);
        if (k > 0) assert_at_most(w->report.kinetic, kinetic * (1 + 1e-6));
        kinetic = w->report.kinetic;
    }
    const double after = angular_momentum(w);
    print_message("30 steps of 100 explicit ones: angular momentum %.6f of the first, %d "
                  "iterations in the last\n",
                  after / before, w->m->viscosity_iterations);
    check_figure(T71_stiff, after / before);
    world_destroy(w);
}

int test_sph_viscosity(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T71_couette),
        cmocka_unit_test(T71_poiseuille),
        cmocka_unit_test(T71_rotation),
        cmocka_unit_test(T71_stiff),
    };
    return cmocka_run_group_tests_name("sph_viscosity", tests, NULL, NULL);
}
