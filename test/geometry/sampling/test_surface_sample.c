// SPDX-License-Identifier: MIT
// Particles on surfaces of many kinds: on the surface, none too near, no hole, both sides of
// plates.
#include "geometry/sampling/surface_sample.h"

#include "geometry/levelset/level_set_mesh.h"
#include "geometry/mesh_solids.h"
#include "solver/sph/boundary/boundary_world.h"

static firn_surface surface_of(const boundary_world* w)
{
    return (firn_surface){.shapes = &w->shapes, .shape = w->colliders[0].shape};
}

static firn_vec3 normal_at(const boundary_world* w, firn_vec3 x)
{
    const firn_surface surface = surface_of(w);
    return firn_surface_phi(&surface, x).normal;
}

static bool is_same_side(firn_vec3 a, firn_vec3 b)
{
    return (double)firn_v3_dot(a, b) > FIRN_DISC_SIDES;
}

// On the surface, and no two of a side nearer than a radius (positions are exact for a body at
// rest; the rest is the rounding of the comparison).
static void check_discs(const boundary_world* w, const char* name)
{
    const firn_boundary* b = &w->boundary;
    const firn_surface surface = surface_of(w);
    double off = 0, nearest = 1e9;
    for (firn_local p = 0; p < b->count; p++) {
        const firn_phi phi = firn_surface_phi(&surface, b->position[p]);
        off = fmax(off, fabs((double)phi.distance));
        for (firn_local q = 0; q < p; q++) {
            const double d = world_distance(b->position[p], b->position[q]);
            if (d < nearest && is_same_side(phi.normal, normal_at(w, b->position[q]))) nearest = d;
        }
    }
    const double radius = FIRN_DISC_RADIUS * w->h;
    print_message("%s: %d particles, off by %.2g h, nearest pair %.4f radii\n", name, b->count,
                  off / w->h, nearest / radius);
    assert_greater(b->count, 50);
    assert_at_most(off, 0.05 * w->h);
    assert_at_least(nearest, radius * (1 - 1e-6));
}

// From random places of the surface within `size` of the origin to the nearest particle of that
// side. Normals jump at edges: any particle there will do that is on either side of the edge.
static void check_cover(const boundary_world* w, const char* name, double size, any_source* r)
{
    const firn_boundary* b = &w->boundary;
    const firn_surface surface = surface_of(w);
    double worst = 0;
    int tried = 0;
    for (int n = 0; n < 3000; n++) {
        firn_vec3 x = any_vec3(r, size), normal;
        if (!firn_surface_project(&surface, 0.01 * w->h, &x, &normal)) continue;
        if ((double)firn_v3_length(x) > size) continue;
        tried++;
        double nearest = 1e9;
        for (firn_local p = 0; p < b->count; p++) {
            const double d = world_distance(x, b->position[p]);
            if (d < nearest && is_same_side(normal, normal_at(w, b->position[p]))) nearest = d;
        }
        worst = fmax(worst, nearest);
    }
    const double holes = worst / (FIRN_DISC_RADIUS * w->h);
    print_message("%s: largest hole %.3f radii (%d places)\n", name, holes, tried);
    assert_greater(tried, 300);
    assert_at_most(holes, FIRN_DISC_HOLE);
}

static void check(boundary_world* w, const char* name, double size, any_source* r)
{
    check_discs(w, name);
    check_cover(w, name, size, r);
    world_close(w);
}

static void plane_and_ball(void** state)
{
    (void)state;
    any_source r = any_start(3801);
    boundary_world w = {0};
    world_sample(&w, world_plane(&w.shapes), 0.05, 0.5);
    check(&w, "plane", 0.5, &r);
    world_sample(&w, world_ball(&w.shapes, 0.5), 0.05, 2);
    check(&w, "ball", 2, &r);
    world_sample(&w, world_ball(&w.shapes, 1), 0.4, 4);  // few particles: curved within a radius
    check(&w, "coarse ball", 2, &r);
}

static void box_with_edges(void** state)
{
    (void)state;
    any_source r = any_start(3802);
    boundary_world w = {0};
    world_sample(&w, world_box(&w.shapes, 0.3, 0.2, 0.4), 0.05, 2);
    // places on the edges themselves
    const firn_real ends[3] = {(firn_real)0.3, (firn_real)0.2, (firn_real)0.4};
    for (int n = 0; n < 500; n++) {
        firn_real x[3];
        const int along = any_below(&r, 3);
        for (int d = 0; d < 3; d++)
            x[d] = d == along ? (firn_real)any_between(&r, -1, 1) * ends[d]
                              : ends[d] * (any_below(&r, 2) ? 1 : -1);
        double nearest = 1e9;
        for (firn_local p = 0; p < w.boundary.count; p++)
            nearest =
                fmin(nearest, world_distance(firn_v3(x[0], x[1], x[2]), w.boundary.position[p]));
        assert_at_most(nearest, FIRN_DISC_HOLE * FIRN_DISC_RADIUS * w.h);
    }
    check(&w, "box", 2, &r);
}

// Where phi is only a bound of the distance.
static void booleans_and_height_fields(void** state)
{
    (void)state;
    any_source r = any_start(3803);
    boundary_world w = {0};
    const firn_local ball = world_ball(&w.shapes, 0.5);
    const firn_local hole =
        gallery_add(&w.shapes, (firn_shape_node){.kind = FIRN_SHAPE_CYLINDER,
                                                 .p = {0, -1, 0, 0, 1, 0, (firn_real)0.25, 0}});
    const firn_local bead = gallery_add(
        &w.shapes, (firn_shape_node){.kind = FIRN_SHAPE_DIFFERENCE, .a = ball, .b = hole});
    world_sample(&w, bead, 0.05, 2);
    check(&w, "ball with a hole", 2, &r);
    firn_local field;
    assert_int_equal(firn_shapes_add_noise_field(&w.shapes, firn_v3(-1, (firn_real)-0.2, -1),
                                                 firn_v3(2, (firn_real)0.4, 2), (firn_real)0.5, 2,
                                                 7, &field, NULL),
                     FIRN_OK);
    world_sample(&w, field, 0.05, 0.4);
    check(&w, "height field", 0.4, &r);
}

static firn_real torus_phi(const void* context, firn_vec3 x)
{
    (void)context;
    const double ring = sqrt((double)x.x * (double)x.x + (double)x.z * (double)x.z) - 0.4;
    return (firn_real)(sqrt(ring * ring + (double)x.y * (double)x.y) - 0.15);
}

static void level_sets(void** state)
{
    (void)state;
    any_source r = any_start(3804);
    boundary_world w = {0};
    const firn_box3 box = {{(firn_real)-0.6, (firn_real)-0.2, (firn_real)-0.6},
                           {(firn_real)0.6, (firn_real)0.2, (firn_real)0.6}};
    const firn_level_set* set;
    firn_local shape;
    assert_int_equal(
        firn_level_set_build(box, (firn_real)0.02, (firn_real)0.06, torus_phi, NULL, &set, NULL),
        FIRN_OK);
    assert_int_equal(firn_shapes_add_level_set(&w.shapes, set, &shape, NULL), FIRN_OK);
    firn_level_set_release(set);
    world_sample(&w, shape, 0.04, 2);
    check(&w, "torus on a grid", 2, &r);
    firn_mesh mesh = mesh_cuboid(mesh_point(-0.3, -0.2, -0.25), mesh_point(0.3, 0.2, 0.25));
    const firn_mesh_level_set_args args = {.voxel = (firn_real)0.02};
    assert_int_equal(firn_level_set_from_mesh(&mesh, &args, &set, NULL, NULL), FIRN_OK);
    assert_int_equal(firn_shapes_add_level_set(&w.shapes, set, &shape, NULL), FIRN_OK);
    firn_level_set_release(set);
    firn_mesh_destroy(&mesh);
    world_sample(&w, shape, 0.04, 2);
    check(&w, "mesh of a box", 2, &r);
}

// Plates thinner than a radius have particles on both sides, as many on one as on the other.
static void thin_plates(void** state)
{
    (void)state;
    any_source r = any_start(3805);
    const double thickness[] = {0.6, 0.2, 0.02};  // [h]
    for (int k = 0; k < 3; k++) {
        boundary_world w = {0};
        const double h = 0.05;
        world_sample(&w, world_box(&w.shapes, 0.5, thickness[k] * h / 2, 0.4), h, 2);
        int up = 0, down = 0;
        for (firn_local p = 0; p < w.boundary.count; p++) {
            const firn_real y = normal_at(&w, w.boundary.position[p]).y;
            up += y > (firn_real)0.9;
            down += y < (firn_real)-0.9;
        }
        // of the 320 h^2 of a side at 0.7 / r^2, less what the rim takes
        print_message("%g h: %d above, %d below\n", thickness[k], up, down);
        assert_greater(up, 260);
        assert_greater(down, 260);
        assert_near(up, down, 30);
        check(&w, "plate", 2, &r);
    }
}

int test_surface_sample(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plane_and_ball),
                                       cmocka_unit_test(box_with_edges),
                                       cmocka_unit_test(booleans_and_height_fields),
                                       cmocka_unit_test(level_sets), cmocka_unit_test(thin_plates)};
    return cmocka_run_group_tests_name("surface_sample", tests, NULL, NULL);
}
