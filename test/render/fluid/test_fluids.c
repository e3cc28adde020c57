// SPDX-License-Identifier: MIT
// Fluids of a picture: which particles belong to them, and where they touch colliders.
#include "render/fluid/fluids.h"

#include <math.h>

#include "core/memory.h"
#include "render/path/geometry_fixture.h"
#include "scene/data/snow.h"

#define SPACING 0.1  // [m]
#define SIDE 8       // particles along an edge

static firn_material material_of(firn_material_phase phase)
{
    return (firn_material){
        .snow = {.density = phase == FIRN_PHASE_SNOW ? 100 : 1000, .phase = (int32_t)phase}};
}

// Particles of a cube with its lowest corner at the origin, of materials 0, 1, 0, 1, ... in layers.
typedef struct cube {
    firn_vec3 x[SIDE * SIDE * SIDE];
    firn_real mass[SIDE * SIDE * SIDE];
    uint8_t material[SIDE * SIDE * SIDE];
} cube;

static firn_fluid_particles fill(cube* c, double density, int layers)
{
    for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
        const int at[3] = {k % SIDE, k / SIDE / SIDE, k / SIDE % SIDE};
        c->x[k] =
            firn_v3((firn_real)(SPACING * (at[0] + 0.5)), (firn_real)(SPACING * (at[1] + 0.5)),
                    (firn_real)(SPACING * (at[2] + 0.5)));
        c->mass[k] = (firn_real)(density * SPACING * SPACING * SPACING);
        c->material[k] = (uint8_t)(at[1] / layers % 2);
    }
    return (firn_fluid_particles){.x = c->x,
                                  .mass = c->mass,
                                  .material = c->material,
                                  .count = SIDE * SIDE * SIDE,
                                  .cell = 1};
}

static void looks_follow_phases(void** state)
{
    (void)state;
    firn_material m = material_of(FIRN_PHASE_SNOW);
    assert_int_equal(firn_material_look_of(&m).kind, FIRN_SHOWN_AS_SNOW);
    m = material_of(FIRN_PHASE_WATER);
    assert_int_equal(firn_material_look_of(&m).kind, FIRN_SHOWN_AS_WATER);
    m = material_of(FIRN_PHASE_VISCOUS);
    assert_int_equal(firn_material_look_of(&m).kind, FIRN_SHOWN_AS_CHOCOLATE);
    m.look = firn_material_look_make(FIRN_SHOWN_AS_SNOW);
    assert_int_equal(firn_material_look_of(&m).kind, FIRN_SHOWN_AS_SNOW);
}

// Snow in layers 0 and 1, 4 and 5; water in the others.
static void particles_are_snow_or_fluid(void** state)
{
    (void)state;
    static cube c;
    firn_material materials[] = {material_of(FIRN_PHASE_SNOW), material_of(FIRN_PHASE_WATER)};
    const firn_scene_data scene = {.materials = materials, .material_count = 2};
    assert_true(firn_fluids_exist(&scene));
    const firn_fluid_particles particles = fill(&c, 1000, 2);
    firn_local list[SIDE * SIDE * SIDE];
    const firn_local count = firn_fluids_list_snow(&scene, &particles, list);
    assert_int_equal(count, SIDE * SIDE * SIDE / 2);
    for (firn_local k = 0; k < count; k++) {
        assert_int_equal(c.material[list[k]], 0);
        if (k > 0) assert_true(list[k] > list[k - 1]);
    }
    firn_fluids f;
    firn_error error = {0};
    c.x[70].x = (firn_real)NAN;
    assert_int_equal(firn_fluids_create(&f, &scene, &particles, 0, &error), FIRN_OK);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.items[0].look.kind, FIRN_SHOWN_AS_WATER);
    firn_vec3 low = firn_v3(9, 9, 9), high = firn_v3(-9, -9, -9);
    firn_fluids_bound(&f, &low, &high);
    assert_near(low.y, 2 * SPACING, 0.35 * SPACING);
    assert_near(high.y, 8 * SPACING, 0.35 * SPACING);
    firn_fluids_destroy(&f);
    // materials of one look are one body
    materials[0] = materials[1];
    assert_int_equal(firn_fluids_create(&f, &scene, &particles, 0, &error), FIRN_OK);
    assert_int_equal(f.count, 1);
    firn_fluids_destroy(&f);
    materials[0].look = firn_material_look_make(FIRN_SHOWN_AS_ICE);
    assert_int_equal(firn_fluids_create(&f, &scene, &particles, 0, &error), FIRN_OK);
    assert_int_equal(f.count, 2);
    firn_fluids_destroy(&f);
}

// The bottom of the water lies in the floor, where it is hidden; beside a wall that is not drawn it
// is the wall's plane.
static void fluids_touch_colliders(void** state)
{
    (void)state;
    static cube c;
    firn_material materials[] = {material_of(FIRN_PHASE_WATER), material_of(FIRN_PHASE_WATER)};
    firn_scene_data scene = {.materials = materials, .material_count = 2};
    add_collider(&scene, add_plane_shape(&scene, 0, 1, 0));
    firn_collider* wall = add_collider(&scene, add_plane_shape(&scene, 1, 0, 0));
    wall->look.kind = FIRN_LOOK_HIDDEN;
    const firn_fluid_particles particles = fill(&c, 1000, 1);
    firn_fluids f;
    firn_error error = {0};
    assert_int_equal(firn_fluids_create(&f, &scene, &particles, 0, &error), FIRN_OK);
    const firn_isosurface* s = &f.items[0].surface;
    int on_floor = 0, on_wall = 0, on_top = 0;
    for (firn_local v = 0; v < s->vertex_count; v++) {
        const double x = (double)s->vertices[v].x, y = (double)s->vertices[v].y;
        const double middle = fabs((double)s->vertices[v].z - 0.5 * SIDE * SPACING);
        if (middle > 2 * SPACING) continue;
        const bool within = x > 2 * SPACING && x < (SIDE - 2) * SPACING;
        if (within && y < 2 * SPACING) {
            assert_near(y, -0.1 * SPACING, 1e-5);
            on_floor++;
        } else if (within) {
            assert_near(y, SIDE * SPACING, 0.35 * SPACING);
            on_top++;
        } else if (x < 2 * SPACING && y > 2 * SPACING && y < (SIDE - 2) * SPACING) {
            assert_near(x, 0, 1e-5);
            on_wall++;
        }
    }
    assert_true(on_floor > 20 && on_wall > 20 && on_top > 20);
    firn_fluids_destroy(&f);
    firn_colliders_destroy(scene.colliders, scene.collider_count);
    firn_free(scene.colliders);
    firn_shapes_destroy(&scene.shapes);
}

static void memory_may_run_out(void** state)
{
    (void)state;
    static cube c;
    firn_material materials[] = {material_of(FIRN_PHASE_WATER), material_of(FIRN_PHASE_SNOW)};
    firn_scene_data scene = {.materials = materials, .material_count = 2};
    add_collider(&scene, add_plane_shape(&scene, 0, 1, 0));
    const firn_fluid_particles particles = fill(&c, 1000, 1);
    const uint64_t before = firn_memory_read().bytes;
    firn_result r = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; r != FIRN_OK; k++) {
        firn_fluids f;
        firn_error error = {0};
        firn_memory_fail_at(k, true);
        r = firn_fluids_create(&f, &scene, &particles, 0, &error);
        firn_memory_fail_at(0, false);
        assert_either(r, FIRN_OK, FIRN_BROKEN_MEMORY);
        firn_fluids_destroy(&f);
        assert_int_equal(firn_memory_read().bytes, before);
        assert_in_range(k, 1, 100);
    }
    firn_colliders_destroy(scene.colliders, scene.collider_count);
    firn_free(scene.colliders);
    firn_shapes_destroy(&scene.shapes);
}

int test_fluids(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_follow_phases),
        cmocka_unit_test(particles_are_snow_or_fluid),
        cmocka_unit_test(fluids_touch_colliders),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("fluids", tests, NULL, NULL);
}
