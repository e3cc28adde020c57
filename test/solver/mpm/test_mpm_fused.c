// SPDX-License-Identifier: MIT
// The fused passes do what the plain steps do: from the same state, on every SIMD level, with FLIP
// and APIC, with cubic and quadratic splines; x86-64-v3 and -v4 with the same bits, and so for any
// number of threads. Errors are in units of the machine's epsilon, times the sum of the sizes of
// all that was added: cancellation does not count against a pass, lost digits do.
#include "core/hash.h"
#include "solver/mpm/tangle.h"

static const tangle kinds[] = {
    {FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, false, FIRN_MPM_PRECONDITIONER_NONE, FIRN_SPLINE_CUBIC},
    {FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, true, FIRN_MPM_PRECONDITIONER_NONE, FIRN_SPLINE_CUBIC},
    {FIRN_MPM_EXPLICIT, FIRN_MPM_APIC, true, FIRN_MPM_PRECONDITIONER_NONE, FIRN_SPLINE_CUBIC},
    {FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, true, FIRN_MPM_PRECONDITIONER_NONE, FIRN_SPLINE_QUADRATIC},
    {FIRN_MPM_EXPLICIT, FIRN_MPM_APIC, true, FIRN_MPM_PRECONDITIONER_NONE, FIRN_SPLINE_QUADRATIC}};
enum { KINDS = 5 };

static const double dt = 1e-5;  // strains of 40 % push hard: no particle may leave its cell

// In epsilons. A node adds up a few hundred terms, in another order: rounding errors grow as the
// square root of their number, about 10. Stresses are measured before their terms cancel, so a
// force is off by less than one of its terms. A particle's deformation goes through a decomposition
// of a few dozen operations; its velocity is one sum of 64 terms.
#define SUM_LIMIT 24
#define FORCE_LIMIT 3
#define STRAIN_LIMIT 10
#define VELOCITY_LIMIT 4
// Sums of blocks are in double: in a single build only their terms round.
#ifdef FIRN_DOUBLE
#define BLOCK_LIMIT SUM_LIMIT
#else
#define BLOCK_LIMIT 2
#endif

// Copies of what the grid holds after steps 1 and 3.
typedef struct grid_copy {
    firn_vec4 *velocity, *force;  // [nodes]
    firn_sums* sums;              // [occupied blocks]
} grid_copy;

static void* copy_of(const void* from, size_t count, size_t size)
{
    void* to = firn_alloc(count, size);
    assert_non_null(to);
    memcpy(to, from, count * size);
    return to;
}

static grid_copy copy_grid(const world* w)
{
    const size_t nodes = (size_t)world_nodes(w), occupied = (size_t)w->m->grid.occupied_count;
    return (grid_copy){copy_of(w->m->node_velocity, nodes, sizeof(firn_vec4)),
                       copy_of(w->m->node_force, nodes, sizeof(firn_vec4)),
                       copy_of(w->m->sums, occupied, sizeof(firn_sums))};
}

static void drop_grid(grid_copy* g)
{
    firn_free(g->velocity);
    firn_free(g->force);
    firn_free(g->sums);
}

static uint64_t hash_grid(const world* w)
{
    const size_t nodes = (size_t)world_nodes(w), occupied = (size_t)w->m->grid.occupied_count;
    uint64_t hash = firn_hash(w->m->node_velocity, nodes * sizeof(firn_vec4), 1);
    hash = firn_hash(w->m->node_force, nodes * sizeof(firn_vec4), hash);
    return firn_hash(w->m->sums, occupied * sizeof(firn_sums), hash);
}

static void run_stages(world* w, const firn_mpm_stage* stages, int count)
{
    firn_stages run = firn_mpm_run_begin(w->m, &w->error);
    for (int k = 0; k < count; k++) firn_stages_run(&run, stages[k]);
    if (run.result != FIRN_OK) fail_msg("%s", w->error.text);
}

static const firn_mpm_stage scatter_fused[] = {FIRN_MPM_FUSED_01_03};
static const firn_mpm_stage scatter_plain[] = {FIRN_MPM_01_RASTERIZE, FIRN_MPM_03_FORCES};
static const firn_mpm_stage gather_fused[] = {FIRN_MPM_FUSED_07_10};
static const firn_mpm_stage gather_plain[] = {FIRN_MPM_07_DEFORMATION,
                                              FIRN_MPM_08_PARTICLE_VELOCITY,
                                              FIRN_MPM_09_PARTICLE_COLLIDE, FIRN_MPM_10_ADVECT};

// Nodes of the fused pass (in `fast`) against those of the plain steps (in the world).
static void compare_nodes(const world* w, const grid_copy* fast, const char* simd)
{
    tangle_scale* scale = tangle_scales(w);
    double mass = 0, momentum = 0, force = 0;
    int checked = 0;
    for (firn_local n = 0; n < world_nodes(w); n++) {
        const firn_vec4 v = w->m->node_velocity[n], u = fast->velocity[n];
        tangle_worst(&mass, fabs((double)v[3] - (double)u[3]), scale[n].mass);
        assert_equal(v[3] > 0, u[3] > 0);
        if (!(v[3] > 0)) continue;
        checked++;
        for (int a = 0; a < 3; a++) {
            const firn_real f = w->m->node_force[n][a], g = fast->force[n][a];
            tangle_worst(&momentum, fabs((double)v[a] - (double)u[a]) * (double)v[3],
                         scale[n].momentum);
            tangle_worst(&force, fabs((double)f - (double)g), scale[n].force);
        }
    }
    // 60 particles on their own reach 64 nodes each, or 27
    assert_greater(checked, w->m->def.spline == FIRN_SPLINE_QUADRATIC ? 1500 : 3000);
    tangle_check("node mass", simd, mass, SUM_LIMIT);
    tangle_check("node momentum", simd, momentum, SUM_LIMIT);
    tangle_check("node force", simd, force, FORCE_LIMIT);
    firn_free(scale);
}

static void compare_sums(const world* w, const grid_copy* fast, const char* simd)
{
    double worst = 0;
    for (firn_local b = 0; b < w->m->grid.occupied_count; b++) {
        const firn_sums *s = &w->m->sums[b], *f = &fast->sums[b];
        double elastic = 0, potential = 0;
        for (firn_local k = w->m->grid.first[b]; k < w->m->grid.first[b + 1]; k++) {
            const firn_local p = w->m->grid.order[k];
            elastic += tangle_stress(w, p);
            potential +=
                (double)w->m->p.mass[p] * 9.81 * (double)firn_v3_length(w->m->p.position[p]);
        }
        const double size = sqrt(2 * s->mass * s->kinetic);  // of the momentum, at most
        tangle_worst(&worst, fabs(s->mass - f->mass), s->mass);
        for (int a = 0; a < 3; a++)
            tangle_worst(&worst, fabs(s->momentum[a] - f->momentum[a]), size);
        tangle_worst(&worst, fabs(s->kinetic - f->kinetic), s->kinetic);
        tangle_worst(&worst, fabs(s->potential - f->potential), potential);
        tangle_worst(&worst, fabs(s->elastic - f->elastic), elastic);
        assert_equal(s->plastic_min, f->plastic_min);
        assert_equal(s->plastic_max, f->plastic_max);
    }
    tangle_check("sums of blocks", simd, worst, BLOCK_LIMIT);
}

// What a particle reads off the grid, by size: sums of w |v|, |grad w| |v|, w |v| |x_i - x_p|.
typedef struct read_scale {
    double value, gradient, moment;
} read_scale;

static read_scale read_scale_of(const world* w, firn_local b, firn_local p, const grid_copy* g)
{
    const tangle_reach at = tangle_reach_of(w, b, p);
    read_scale s = {tangle_speed(w->m->p.velocity[p]), 0, 0};
    for (int n = 0; n < 64; n++) {
        const firn_vec4 *u = &g->velocity[at.node[n]], *v = &w->m->node_new[at.node[n]];
        double new = 0, old = 0;
        for (int a = 0; a < 3; a++) {
            new += fabs((double)(*v)[a]);
            old += fabs((double)(*u)[a]);
        }
        s.value += at.w[n] * (new + old);
        s.gradient += at.slope[n] * new;
        s.moment += at.w[n] * new* at.distance[n];
    }
    return s;
}

static double mat3_apart(firn_mat3 a, firn_mat3 b)
{
    double most = 0;
    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs((double)a.m[i / 3][i % 3] - (double)b.m[i / 3][i % 3]));
    return most;
}

static const void* field_of(const firn_particles* p, const char* name)
{
    return firn_particles_find(p, name)->data;
}

// Particles of the fused pass (in `fast`) and of the plain steps (in `plain`), moved from where the
// world has them.
static void compare_particles(const world* w, const firn_particles* fast,
                              const firn_particles* plain, const grid_copy* grid, const char* simd)
{
    const firn_mat3* F[2] = {field_of(fast, "def_grad_elastic"),
                             field_of(plain, "def_grad_elastic")};
    const firn_real* J[2] = {field_of(fast, "plastic_det"), field_of(plain, "plastic_det")};
    const firn_vec3* v[2] = {field_of(fast, "velocity"), field_of(plain, "velocity")};
    const firn_vec3* x[2] = {field_of(fast, "position"), field_of(plain, "position")};
    double worst[5] = {0};
    firn_local clamped = 0;
    for (firn_local b = 0; b < w->m->grid.occupied_count; b++) {
        for (firn_local k = w->m->grid.first[b]; k < w->m->grid.first[b + 1]; k++) {
            const firn_local p = w->m->grid.order[k];
            const read_scale s = read_scale_of(w, b, p, grid);
            const double size = tangle_norm(w->m->p.def_grad_elastic[p]) * (1 + dt * s.gradient);
            clamped += J[1][p] != w->m->p.plastic_det[p];
            tangle_worst(&worst[0], mat3_apart(F[0][p], F[1][p]), size);
            tangle_worst(&worst[1], fabs((double)J[0][p] - (double)J[1][p]),
                         (double)J[1][p] * pow(size, 3));
            tangle_worst(&worst[2], (double)firn_v3_length(firn_v3_sub(v[0][p], v[1][p])), s.value);
            tangle_worst(&worst[3], (double)firn_v3_length(firn_v3_sub(x[0][p], x[1][p])),
                         (double)firn_v3_length(x[1][p]) + dt * VELOCITY_LIMIT * s.value);
            if (w->m->p.affine == NULL) continue;
            const firn_mat3 *B = field_of(fast, "affine"), *C = field_of(plain, "affine");
            tangle_worst(&worst[4], mat3_apart(B[p], C[p]), s.moment);
        }
    }
    assert_greater(clamped, w->m->p.count / 10);  // or the clamp was not tested
    tangle_check("F_E", simd, worst[0], STRAIN_LIMIT);
    tangle_check("J_P", simd, worst[1], STRAIN_LIMIT);
    tangle_check("velocity", simd, worst[2], VELOCITY_LIMIT);
    tangle_check("position", simd, worst[3], 2);  // one rounding each
    if (w->m->p.affine != NULL) tangle_check("B_p", simd, worst[4], VELOCITY_LIMIT);
}

// Hashes of what both ways leave behind.
typedef struct outcome {
    uint64_t fused, plain;
} outcome;

// One step from the state, both ways; the grid stages between them are the plain ones' once.
static outcome both_ways(const tangle* kind, const world* state, int threads, const char* simd,
                         bool compare)
{
    world* w = tangle_copy(kind, state, threads, simd);
    w->m->def.dt = dt;
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_00_PREPARE, dt);
    run_stages(w, scatter_fused, 1);
    outcome out = {hash_grid(w), 0};
    grid_copy fast = copy_grid(w);
    run_stages(w, scatter_plain, 2);
    out.plain = hash_grid(w);
    if (compare) compare_nodes(w, &fast, simd);
    if (compare) compare_sums(w, &fast, simd);
    drop_grid(&fast);
    grid_copy old = copy_grid(w);
    world_stages(w, FIRN_MPM_04_GRID_VELOCITY, FIRN_MPM_06_SOLVE, dt);
    firn_particles before = tangle_keep(w);
    run_stages(w, gather_plain, 4);
    firn_particles plain = tangle_keep(w);
    tangle_restore(w, &before);
    run_stages(w, gather_fused, 1);
    firn_particles fused = tangle_keep(w);
    tangle_restore(w, &before);
    out.fused ^= firn_particles_hash(&fused);
    out.plain ^= firn_particles_hash(&plain);
    if (compare) compare_particles(w, &fused, &plain, &old, simd);
    drop_grid(&old);
    firn_particles_destroy(&before);
    firn_particles_destroy(&plain);
    firn_particles_destroy(&fused);
    world_destroy(w);
    return out;
}

// The state has what it promises.
static void look_at(const world* w)
{
    const firn_sparse_grid* grid = &w->m->grid;
    int alone = 0, full = 0, crowded = 0;
    for (firn_local b = 0; b < grid->occupied_count; b++) {
        const firn_local count = grid->first[b + 1] - grid->first[b];
        int of_cell[64] = {0};
        for (firn_local k = grid->first[b]; k < grid->first[b + 1]; k++) {
            const firn_weights at = firn_weights_of(
                FIRN_SPLINE_CUBIC, w->m->p.position[grid->order[k]], grid->inverse_cell);
            const int cell = (at.base[0] & 3) * 16 + (at.base[1] & 3) * 4 + (at.base[2] & 3);
            crowded += ++of_cell[cell] == 17;
        }
        alone += count == 1;
        full += count > 64;
    }
    print_message("%d particles in %d blocks: %d alone, %d of more than 64; %d cells of more "
                  "than 16\n",
                  (int)w->m->p.count, (int)grid->occupied_count, alone, full, crowded);
    assert_at_least(alone, 20);
    assert_at_least(full, 8);
    assert_at_least(crowded, 4);
}

static void fused_is_plain(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        world* tangled = tangle_make(&kinds[kind], 0.6, 1.4);
        if (kind == 0) look_at(tangled);
        outcome before = {0};
        for (int level = 0; level < TANGLE_LEVELS; level++) {
            const char* simd = tangle_levels[level];
            if (firn_mpm_ops_find(simd) == NULL) continue;
            const outcome now = both_ways(&kinds[kind], tangled, 1, simd, true);
            if (level == 2) {  // both fuse: bit for bit
                assert_equal(now.fused, before.fused);
                assert_equal(now.plain, before.plain);
            }
            before = now;
        }
        world_destroy(tangled);
    }
}

static void any_number_of_threads(void** state)
{
    (void)state;
    for (int kind = 1; kind < KINDS; kind++) {
        world* tangled = tangle_make(&kinds[kind], 0.6, 1.4);
        for (int level = 0; level < TANGLE_LEVELS; level++) {
            const char* simd = tangle_levels[level];
            if (firn_mpm_ops_find(simd) == NULL) continue;
            const outcome one = both_ways(&kinds[kind], tangled, 1, simd, false);
            for (int t = 0; t < 3; t++) {
                const int threads = (const int[]){2, 3, 8}[t];
                const outcome many = both_ways(&kinds[kind], tangled, threads, simd, false);
                assert_equal(many.fused, one.fused);
                assert_equal(many.plain, one.plain);
            }
        }
        world_destroy(tangled);
    }
}

int test_mpm_fused(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fused_is_plain),
                                       cmocka_unit_test(any_number_of_threads)};
    return cmocka_run_group_tests_name("mpm_fused", tests, NULL, NULL);
}
