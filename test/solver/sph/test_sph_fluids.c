// SPDX-License-Identifier: MIT
// Fluids among snow: SIMD against the plain loops, conservation, threads, what a solver refuses.
#include "solver/sph/fluid.h"
#include "solver/sph/scene_text.h"
#include "state/particles.h"

#define H 0.02
#define DT 1e-3

// A block of snow, water and batter, in layers; it falls on a floor.
static world* mixture(int threads, const char* simd, bool floor)
{
    any_source r = {5900, 0};
    world* w = world_create(H);
    w->scene.material_count = 3;
    w->materials[1] = (firn_material){.name = (char*)"water", .snow = fluid_material(1000, 0)};
    w->materials[2] = (firn_material){.name = (char*)"batter", .snow = fluid_material(1300, 5)};
    w->def.shear_tolerance = FIGURE_TOLERANCE(1e-10, 1e-6);
    world_cloud(w, &r, 8, 0.15, 0);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        const uint8_t kind = (uint8_t)(p / 8 % 8 / 3);  // in layers
        w->seeds.material[p] = kind;
        w->seeds.mass[p] *= w->materials[kind].snow.density / 400;
        w->seeds.velocity[p] = any_vec3(&r, 0.2);
    }
    if (floor) {
        w->scene.gravity[1] = -9.81;
        world_plane(w, firn_v3(0, (firn_real)(-0.7 * H), 0), firn_v3(0, 1, 0), 0.1);
    }
    world_start_on(w, threads, simd);
    return w;
}

// Two steps, so that the second starts from pressures.
static void same_as_plain(void** state)
{
    (void)state;
    world *plain = mixture(1, "plain", true), *fast = mixture(1, NULL, true);
    for (int k = 0; k < 2; k++) {
        world_step(plain, DT);
        world_step(fast, DT);
    }
    double apart = 0, pressures = 0, most = 0;
    for (firn_local i = 0; i < plain->m->p.count; i++) {
        const firn_local a = world_find(plain, i), b = world_find(fast, i);
        const firn_vec3 d = firn_v3_sub(plain->m->p.velocity[a], fast->m->p.velocity[b]);
        apart = fmax(apart, (double)firn_v3_length(d));
        pressures =
            fmax(pressures, fabs((double)plain->m->p.pressure[a] - (double)fast->m->p.pressure[b]));
        most = fmax(most, (double)plain->m->p.pressure[a]);
    }
    print_message("%d and %d iterations, velocities %.2g m/s apart, pressures %.2g of %.4g Pa\n",
                  plain->report.iterations, fast->report.iterations, apart, pressures, most);
    assert_greater(most, 10);
    check_figure(T72_plain_velocity, apart);
    check_figure(T72_plain_pressure, pressures / most);
    world_destroy(fast);
    world_destroy(plain);
}

// The viscosity of water, in one explicit step, and of batter, in a solve: of the same lists and
// velocities SIMD and plain loops give the same but for rounding, and the lists are as before.
static void viscosity_as_plain(void** state)
{
    (void)state;
    static const firn_real batter[] = {0, 5};
    for (int k = 0; k < 2; k++) {
        world* w = mixture(1, NULL, true);
        w->m->materials[2].viscosity = batter[k];
        world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_04_FRICTION, DT);
        assert_int_equal(w->m->viscous, k);
        const firn_local n = w->m->p.count;
        firn_vec4* v = firn_alloc(2 * (size_t)n, sizeof *v);
        const firn_pair_row* rows = w->m->pairs.chunks[0].rows;
        const size_t bytes = (size_t)w->m->pairs.chunks[0].count * sizeof *rows;
        firn_pair_row* before = firn_alloc(bytes, 1);
        memcpy(v, w->m->w.v_star, (size_t)n * sizeof *v);
        memcpy(before, rows, bytes);
        world_stages(w, FIRN_SPH_04_VISCOSITY, FIRN_SPH_04_VISCOSITY, DT);
        assert_memory_equal(before, rows, bytes);
        memcpy(v + n, w->m->w.v_star, (size_t)n * sizeof *v);
        memcpy(w->m->w.v_star, v, (size_t)n * sizeof *v);
        w->m->ops = firn_sph_ops_find("plain");
        world_stages(w, FIRN_SPH_04_VISCOSITY, FIRN_SPH_04_VISCOSITY, DT);
        double apart = 0, changed = 0;
        for (firn_local i = 0; i < n; i++)
            for (int c = 0; c < 3; c++) {
                const double now = (double)w->m->w.v_star[i][c];
                apart = fmax(apart, fabs(now - (double)v[n + i][c]));
                changed = fmax(changed, fabs(now - (double)v[i][c]));
            }
        print_message("%d iterations: %.2g of %.2g m/s apart\n", w->m->viscosity_iterations, apart,
                      changed);
        assert_greater(changed, 0.01);
        assert_less(apart, 10 * ROUNDING * 0.2);  // of velocities up to 0.2 m/s
        firn_free(before);
        firn_free(v);
        world_destroy(w);
    }
}

// Without colliders and gravity nothing changes the momentum of all phases together.
static void momentum(void** state)
{
    (void)state;
    world* w = mixture(1, NULL, false);
    const firn_vec3 center = firn_v3(0, 0, 0);
    const world_momentum before = world_momentum_about(w, center);
    for (int k = 0; k < 10; k++) world_step(w, DT);
    const world_momentum after = world_momentum_about(w, center);
    double off = 0;
    for (int d = 0; d < 3; d++)
        off = fmax(off, fabs(after.linear[d] - before.linear[d]) / before.size);
    check_figure(T72_momentum, off);
    world_destroy(w);
}

static void same_for_any_threads(void** state)
{
    (void)state;
    uint64_t first = 0;
    const int threads[] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        world* w = mixture(threads[k], NULL, true);
        for (int s = 0; s < 5; s++) world_step(w, DT);
        const uint64_t hash = firn_particles_hash(&w->m->base.store);
        if (k == 0) first = hash;
        assert_true(hash == first);
        world_destroy(w);
    }
}

// Fluids have no elasticity.
static void no_strain(void** state)
{
    (void)state;
    world* w = mixture(1, NULL, true);
    for (int k = 0; k < 5; k++) world_step(w, DT);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        if (w->m->p.material[p] == 0) continue;
        const firn_mat3 off = firn_m3_sub(w->m->p.def_grad_elastic[p], firn_m3_identity());
        assert_true(firn_m3_dot(off, off) == 0);
        assert_true(w->m->p.pressure[p] >= 0);
    }
    world_destroy(w);
}

// Snow against water: 14^3 particles, most of which have no snow near them.
static world* shore(void)
{
    any_source r = {5901, 0};
    world* w = world_create(H);
    w->scene.material_count = 2;
    w->materials[1] = (firn_material){.name = (char*)"water", .snow = fluid_material(1000, 0)};
    world_cloud(w, &r, 14, 0.15, 0);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        const uint8_t kind = p / (14 * 14) < 10;
        w->seeds.material[p] = kind;
        w->seeds.mass[p] *= w->materials[kind].snow.density / 400;
        w->seeds.velocity[p] = any_vec3(&r, 0.2);
    }
    world_start_on(w, 1, "baseline");
    return w;
}

// Fills what steps 2 to 6 leave behind.
static void spoil(const firn_sph_work* w)
{
    firn_vec4* const vectors[] = {w->a_G, w->b, w->r, w->shadow, w->p, w->v, w->s, w->t};
    for (size_t i = 0; i < (size_t)w->capacity; i++) {
        for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
            vectors[k][i] = firn_vec4_all(NAN);
        for (int r = 0; r < 3; r++) w->stress[3 * i + (size_t)r] = firn_vec4_all(NAN);
        for (int k = 0; k < 6; k++) w->M[k][i] = NAN;
        for (int k = 0; k < 9; k++) w->L[k][i] = NAN;
        w->source[i] = NAN;
    }
}

// What only snow needs is not computed where all particles of a slice are fluids, and what is left
// there of earlier steps reaches nothing.
static void only_snow(void** state)
{
    (void)state;
    world *clean = shore(), *spoilt = shore();
    for (int k = 0; k < 4; k++) {
        if (k > 0) spoil(&spoilt->m->w);
        world_step(clean, DT);
        world_step(spoilt, DT);
    }
    assert_greater(spoilt->report.shear_iterations, 0);
    assert_true(firn_particles_hash(&clean->m->base.store) ==
                firn_particles_hash(&spoilt->m->base.store));
    const firn_sph* m = spoilt->m;
    firn_local slices = 0, chunks = 0;
    for (firn_local s = 0; s < m->pairs.slice_count; s++) {
        bool snow = false;
        for (firn_local i = s * FIRN_SLICE; i < m->p.count && i < (s + 1) * FIRN_SLICE; i++)
            snow |= m->p.material[i] == 0;
        assert_true(isnan(m->w.M[0][s * FIRN_SLICE]) == !snow);
        slices += !snow;
    }
    for (firn_local c = 0; c < firn_bicg_partials(m->p.count); c++)
        chunks += isnan(m->w.v[c * FIRN_SPH_CHUNK][0]);
    assert_greater(slices, m->pairs.slice_count / 2);
    assert_greater(chunks, 0);
    world_destroy(spoilt);
    world_destroy(clean);
}

static void refused(const char* text, const char* sentence)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_result r = firn_scene_load_text(scene, text, "test", NULL);
    firn_scene_info info;
    if (r == FIRN_OK) r = firn_scene_check(scene, 1, &info);
    assert_int_not_equal(r, FIRN_OK);
    if (strstr(firn_scene_messages(scene), sentence) == NULL)
        fail_msg("%s", firn_scene_messages(scene));
    firn_scene_destroy(scene);
}

#define BOX "snow: [{shape: {box: {center: [0, 0, 0], size: [0.1, 0.1, 0.1]}}, material: a}]\n"

static void refusals(void** state)
{
    (void)state;
    refused("firn: 1\nsolver: mpm\nmaterials: {a: {phase: water}}\n" BOX,
            "has no incompressible pressure, which fluids need: use sph");
    refused("firn: 1\nsolver: grains\nmaterials: {a: {phase: viscous}}\n" BOX, "use sph");
    refused(
        "firn: 1\nsolver: sph\nsph: {elasticity: combined}\nmaterials: {a: {phase: water}}\n" BOX,
        "use elasticity: split");
    refused("firn: 1\nsolver: sph\nmaterials: {a: {phase: water, preset: wet}}\n" BOX,
            "a fluid does not start from a kind of snow");
    refused("firn: 1\nsolver: sph\nmaterials: {a: {becomes: {material: b}}}\n" BOX,
            "no material of this scene is called 'b'");
    refused("firn: 1\nsolver: sph\nmaterials: {a: {becomes: {material: a}}}\n" BOX,
            "cannot become itself");
}

int test_sph_fluids(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_plain), cmocka_unit_test(viscosity_as_plain),
        cmocka_unit_test(momentum),      cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(no_strain),     cmocka_unit_test(only_snow),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("sph_fluids", tests, NULL, NULL);
}
