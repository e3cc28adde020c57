// SPDX-License-Identifier: MIT
// Particles with factors on hardening and thresholds: a factor is the same as a material with the
// product, bit for bit, in every step that reads it; threads and restarts change nothing.
#include "particles_copy.h"
#include "solver/mpm/world.h"

typedef struct setting {
    firn_mpm_integrator integrator;
    firn_mpm_transfer transfer;
} setting;

static const setting settings[] = {{FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP},
                                   {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_FLIP},
                                   {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_APIC}};

// Which constant is doubled, and how.
typedef enum doubled { NOTHING, BY_FACTOR, BY_MATERIAL } doubled;

static firn_material materials[2];
static firn_snow varied_snow;

// Two balls that hit the floor and each other. With BY_FACTOR the second one's particles have a
// factor 2 on `quantity`, with BY_MATERIAL it is of a material that has twice as much of it. Powers
// of two are exact, so both must give the same bits.
static world* collision(const setting* s, int quantity, doubled how, int threads)
{
    any_source r = {78, 0};
    world* w = world_create(0.01);
    w->def.integrator = s->integrator;
    w->def.transfer = s->transfer;
    w->scene.gravity[1] = -9.81;
    world_scatter(w, &r, (const double[3]){0.2, 0.3, 0.4}, (const double[3]){8, 8, 8}, 8, 4);
    const firn_local first = w->seeds.count;
    world_scatter(w, &r, (const double[3]){7, 2.5, 1}, (const double[3]){7, 7, 7}, 8, 3.5);
    const firn_local count = w->seeds.count;
    materials[0] = materials[1] = w->material;
    firn_snow_material* m = &materials[1].snow;
    if (how == BY_MATERIAL && quantity == FIRN_VARY_HARDENING) m->hardening *= 2;
    if (how == BY_MATERIAL && quantity == FIRN_VARY_COMPRESSION) m->critical_compression *= 2;
    if (how == BY_MATERIAL && quantity == FIRN_VARY_STRETCH) m->critical_stretch *= 2;
    w->scene.materials = materials;
    w->scene.material_count = 2;
    firn_real** const arrays[] = {&w->seeds.hardening, &w->seeds.compression, &w->seeds.stretch};
    for (int k = 0; k < 3 && how == BY_FACTOR; k++) {
        *arrays[k] = firn_alloc((size_t)count, sizeof(firn_real));
        assert_non_null(*arrays[k]);
        for (firn_local p = 0; p < count; p++)
            (*arrays[k])[p] = p >= first && k == quantity - FIRN_VARY_HARDENING ? 2 : 1;
    }
    if (how == BY_FACTOR) {  // so that the scene says that it varies
        varied_snow = (firn_snow){.shape = -1, .vary = firn_vary_default()};
        varied_snow.vary.field[quantity].noise = (firn_vary_noise){1, 1, 1, 1};
        w->scene.snow = &varied_snow;
        w->scene.snow_count = 1;
    }
    for (firn_local p = 0; p < count; p++) {
        w->seeds.velocity[p] = p < first ? firn_v3(1, -4, 0) : firn_v3(-3, -3, 1);
        w->seeds.stiffness[p] = (firn_real)any_between(&r, 0.5, 2);
        w->seeds.material[p] = p >= first;
    }
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), (firn_real)0.4);
    world_start_on(w, threads, NULL);
    return w;
}

static void finish(world* w)
{
    firn_free(w->seeds.hardening);
    firn_free(w->seeds.compression);
    firn_free(w->seeds.stretch);
    world_destroy(w);
}

// Every field that both have.
static bool is_same(const world* a, const world* b)
{
    bool same = a->m->p.count == b->m->p.count;
    for (int f = 0; f < b->m->base.store.field_count && same; f++) {
        const firn_field* field = &b->m->base.store.fields[f];
        const firn_field* other = firn_particles_find(&a->m->base.store, field->name);
        if (other == NULL) continue;
        same = memcmp(field->data, other->data, (size_t)b->m->p.count * field->size) == 0;
        if (!same) print_message("'%s' differs\n", field->name);
    }
    return same && a->report.dt == b->report.dt && a->report.elastic == b->report.elastic &&
           a->report.plastic_min == b->report.plastic_min &&
           a->report.iterations == b->report.iterations;
}

static double elastic_after(world* w, int steps)
{
    for (int k = 0; k < steps; k++) world_step(w, 5e-4);
    return w->report.elastic;
}

#define STEPS 12

static void a_factor_is_a_material(void** state)
{
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        world* plain = collision(&settings[s], FIRN_VARY_HARDENING, NOTHING, 1);
        assert_null(plain->m->p.hardening);
        assert_null(firn_particles_find(&plain->m->base.store, "hardening"));
        const double elastic = elastic_after(plain, STEPS);
        for (int q = FIRN_VARY_HARDENING; q <= FIRN_VARY_STRETCH; q++) {
            world* a = collision(&settings[s], q, BY_FACTOR, 1);
            world* b = collision(&settings[s], q, BY_MATERIAL, 1);
            for (int k = 0; k < STEPS; k++) {
                world_step(a, 5e-4);
                world_step(b, 5e-4);
                if (!is_same(a, b)) fail_msg("setting %d, quantity %d, step %d", (int)s, q, k);
            }
            // it acts, or the test means nothing
            assert_not_equal(a->report.elastic, elastic);
            assert_less(a->report.plastic_min, 0.999);
            finish(a);
            finish(b);
        }
        finish(plain);
    }
}

static void threads_and_restarts(void** state)
{
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        world* a = collision(&settings[s], FIRN_VARY_COMPRESSION, BY_FACTOR, 1);
        world* b = collision(&settings[s], FIRN_VARY_COMPRESSION, BY_FACTOR, 3);
        elastic_after(a, STEPS);
        elastic_after(b, STEPS);
        assert_equal(firn_particles_hash(&a->m->base.store),
                     firn_particles_hash(&b->m->base.store));
        // a third one goes on from the checkpoint's arrays alone
        world* c = collision(&settings[s], FIRN_VARY_COMPRESSION, BY_FACTOR, 2);
        const size_t size = firn_solver_mpm.extra_size(a->m);
        void* extra = firn_alloc(size, 1);
        firn_solver_mpm.extra_save(a->m, extra);
        assert_int_equal(copy_particles(&c->m->base.store, &a->m->base.store), FIRN_OK);
        assert_int_equal(firn_solver_mpm.extra_restore(c->m, extra, size, NULL), FIRN_OK);
        c->time = a->time;
        elastic_after(a, 3);
        elastic_after(c, 3);
        assert_equal(firn_particles_hash(&a->m->base.store),
                     firn_particles_hash(&c->m->base.store));
        firn_free(extra);
        finish(a);
        finish(b);
        finish(c);
    }
}

// Explicit: light snow has faster sound, so the chosen step is shorter.
static void light_snow_has_fast_sound(void** state)
{
    (void)state;
    double dt[2];
    for (int light = 0; light < 2; light++) {
        world* w = world_create(0.01);
        w->def.dt_max = 1;
        world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){4, 4, 4}, 2, 0);
        if (light) w->seeds.lightest = 0.25;
        world_start(w);
        world_step(w, 1);
        dt[light] = w->report.dt;
        world_destroy(w);
    }
    assert_near(dt[1] / dt[0], 0.5, 0.01);  // up to a whole number of steps a second
}

int test_mpm_varied(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_factor_is_a_material),
                                       cmocka_unit_test(threads_and_restarts),
                                       cmocka_unit_test(light_snow_has_fast_sound)};
    return cmocka_run_group_tests_name("mpm_varied", tests, NULL, NULL);
}
