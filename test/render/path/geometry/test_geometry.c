// SPDX-License-Identifier: MIT
// Rays against shapes: exact answers, rays that leave a surface, nearness, bodies that are left
// out.
#include "render/path/geometry/geometry.h"

#include "render/path/geometry_fixture.h"

// Tolerances: roundings of float, 1e-6 of a distance, which grazing rays and curved shapes magnify.

static const firn_vec3 eye = {5, 5, 5};

static void spheres_by_formula(void** state)
{
    (void)state;
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    add_collider(&scene, add_sphere(&scene, 0.1, 0.2, -0.3, 0.5));
    firn_collider* c = &scene.colliders[0];
    c->motion.velocity = firn_v3(1, 0, 0);  // at 0.2 s it is 0.2 m on
    c->motion.scale = 2;
    firn_geometry* g = make_geometry(&scene, 0.2, eye);
    const double center[3] = {0.4, 0.4, -0.6}, radius = 1;
    firn_rng r = firn_rng_make(1, 1, 1);
    int hits = 0;
    double worst = 0;
    for (int k = 0; k < 20000; k++) {
        const firn_ray ray = random_ray(&r, 4, 2);
        const double v[3] = {center[0] - (double)ray.origin.x, center[1] - (double)ray.origin.y,
                             center[2] - (double)ray.origin.z};
        const double along = v[0] * (double)ray.direction.x + v[1] * (double)ray.direction.y +
                             v[2] * (double)ray.direction.z;
        const double off2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - along * along;
        const firn_surface_hit hit = firn_geometry_trace(g, ray, FLT_MAX);
        assert_equal(firn_geometry_blocked(g, ray, FLT_MAX), is_hit(hit));
        if (fabs(off2 - radius * radius) < 1e-3) continue;  // grazing: a step may pass it
        assert_equal(is_hit(hit), off2 < radius * radius && along > 0);
        if (!is_hit(hit)) continue;
        hits++;
        const double t = along - sqrt(radius * radius - off2);
        worst = fmax(worst, fabs((double)hit.t - t));
        const firn_vec3 n = firn_v3_sub(
            hit.x, firn_v3((firn_real)center[0], (firn_real)center[1], (firn_real)center[2]));
        // as far as the hit is off, over the radius
        assert_less(firn_v3_length(firn_v3_sub(hit.face, n)), (firn_real)1e-3);
        assert_less(firn_v3_dot(hit.normal, ray.direction), 0);
        assert_false(firn_geometry_blocked(g, ray, (float)(t - 0.001)));
        assert_true(firn_geometry_blocked(g, ray, (float)(t + 0.001)));
        assert_false(is_hit(firn_geometry_trace(g, ray, (float)(t - 0.001))));
    }
    assert_greater(hits, 3000);
    assert_less(worst, 2e-4);  // grazing rays magnify the rounding of floats
    firn_geometry_destroy(g);
    firn_scene_data_destroy(&scene);
}

static void boxes_by_slabs(void** state)
{
    (void)state;
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    const firn_quat q = firn_q_from_euler(firn_v3((firn_real)0.3, (firn_real)-0.7, (firn_real)1.1));
    add_collider(&scene, add_box_shape(&scene, 0.9, 0.3, 0.5, q));
    firn_geometry* g = make_geometry(&scene, 0, eye);
    const firn_mat3 turn = firn_q_to_m3(q);
    const double half[3] = {0.9, 0.3, 0.5};
    // [m] of a distance from a face, by floats of 2^-24 = 6e-8: rotating the origin, 4 m away, by
    // sums of three products 1.2e-6; the direction over 5 m 1.5e-6; a point near the box, 1.3 m
    // wide, 0.6e-6; t itself 0.3e-6. A ray that meets the face at an angle divides it by the
    // cosine.
    const double rounding = 4e-6;
    firn_rng r = firn_rng_make(2, 1, 1);
    int hits = 0;
    for (int k = 0; k < 20000; k++) {
        const firn_ray ray = random_ray(&r, 4, 1.2);
        const firn_vec3 o = firn_m3_transposed_mul_v3(turn, ray.origin);
        const firn_vec3 d = firn_m3_transposed_mul_v3(turn, ray.direction);
        const double oo[3] = {(double)o.x, (double)o.y, (double)o.z};
        const double dd[3] = {(double)d.x, (double)d.y, (double)d.z};
        double t0 = 0, t1 = 1e9, earliest = 0, latest = 0;
        for (int i = 0; i < 3; i++) {
            const double a = (-half[i] - oo[i]) / dd[i], b = (half[i] - oo[i]) / dd[i];
            t0 = fmax(t0, fmin(a, b));
            t1 = fmin(t1, fmax(a, b));
            earliest = fmax(earliest, fmin(a, b) - rounding / fabs(dd[i]));
            latest = fmax(latest, fmin(a, b) + rounding / fabs(dd[i]));
        }
        const firn_surface_hit hit = firn_geometry_trace(g, ray, FLT_MAX);
        if (fabs(t1 - t0) < 2e-3) continue;  // cuts off less than a few steps of a corner
        assert_equal(is_hit(hit), t0 < t1);
        if (!is_hit(hit)) continue;
        hits++;
        assert_at_least(hit.t, earliest);
        assert_at_most(hit.t, latest);
    }
    assert_greater(hits, 4000);
    firn_geometry_destroy(g);
    firn_scene_data_destroy(&scene);
}

// The floor goes on for ever; only its upper side is there.
static void planes_have_no_end(void** state)
{
    (void)state;
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    add_collider(&scene, add_plane_shape(&scene, 0, 2, 0))->motion.position =
        firn_v3(0, (firn_real)0.25, 0);
    firn_geometry* g = make_geometry(&scene, 0, eye);
    const firn_ray down = {firn_v3(0, (firn_real)1.25, 0), firn_v3(0, -1, 0)};
    firn_surface_hit hit = firn_geometry_trace(g, down, FLT_MAX);
    assert_true(is_hit(hit));
    assert_near(hit.t, 1, 1e-6f);
    assert_equal(hit.normal.y, 1);
    assert_equal(hit.light, -1);
    assert_equal(hit.surface->kind, FIRN_SURFACE_DIFFUSE);
    assert_less(hit.surface->colour.r, 0.2f);
    assert_false(is_hit(firn_geometry_trace(g, down, 0.99f)));
    const firn_ray flat = {down.origin,
                           firn_v3_normalize(firn_v3(1, (firn_real)-1e-4, 0), firn_v3(1, 0, 0))};
    hit = firn_geometry_trace(g, flat, FLT_MAX);
    assert_true(is_hit(hit));
    assert_near(hit.t / 1e4f, 1, 1e-3f);
    assert_greater(firn_geometry_leave(&hit).y, (firn_real)0.25);
    const firn_ray up = {firn_v3(0, 0, 0), firn_v3(0, 1, 0)};
    assert_false(is_hit(firn_geometry_trace(g, up, FLT_MAX)) ||
                 firn_geometry_blocked(g, up, FLT_MAX));
    firn_geometry_destroy(g);
    // seen from below, the floor is gone
    g = make_geometry(&scene, 0, firn_v3(0, 0, 0));
    assert_false(is_hit(firn_geometry_trace(g, down, FLT_MAX)));
    firn_geometry_destroy(g);
    firn_scene_data_destroy(&scene);
}

// A tree of everything: a box with a hole, a ball on a transform, blended and sharp unions.
static firn_local csg(firn_scene_data* scene)
{
    const firn_quat none = {1, 0, 0, 0};
    const firn_local box = add_box_shape(scene, 0.8, 0.3, 0.8, none);
    const firn_local hole =
        add_node(scene, (firn_shape_node){.kind = FIRN_SHAPE_CYLINDER,
                                          NODE_IDENTITY,
                                          .p = {0, -1, 0, 0, 1, 0, (firn_real)0.4, 0}});
    const firn_local ring = add_node(
        scene, (firn_shape_node){.kind = FIRN_SHAPE_DIFFERENCE, .a = box, .b = hole, .q = none});
    const firn_local ball = add_sphere(scene, 0, 0, 0, 0.3);
    const firn_local moved =
        add_node(scene, (firn_shape_node){.kind = FIRN_SHAPE_TRANSFORM,
                                          .a = ball,
                                          .b = -1,
                                          .p = {(firn_real)0.6, (firn_real)0.5, 0, (firn_real)1.5},
                                          .q = firn_q_from_euler(firn_v3(0, (firn_real)0.4, 0))});
    const firn_local pair = add_node(
        scene, (firn_shape_node){.kind = FIRN_SHAPE_UNION, .a = ring, .b = moved, .q = none});
    const firn_local knob = add_sphere(scene, -0.7, 0.4, 0.2, 0.2);
    const firn_local other = add_sphere(scene, -0.5, 0.5, 0.2, 0.2);
    const firn_local soft = add_node(
        scene,
        (firn_shape_node){
            .kind = FIRN_SHAPE_UNION, .a = knob, .b = other, .p = {(firn_real)0.1}, .q = none});
    return add_node(scene,
                    (firn_shape_node){.kind = FIRN_SHAPE_UNION, .a = pair, .b = soft, .q = none});
}

// Every hit lies on the surface, and before it there is nothing; where nothing is hit nothing is.
static void trees_of_shapes(void** state)
{
    (void)state;
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    firn_collider* c = add_collider(&scene, csg(&scene));
    c->motion.spin = firn_v3(0, 1, 0);
    firn_geometry* g = make_geometry(&scene, 0.7, eye);
    firn_collider posed;
    assert_int_equal(firn_collider_copy(c, &posed), FIRN_OK);
    assert_int_equal(firn_collider_move(&posed, &scene.shapes, 0.7, NULL), FIRN_OK);
    firn_rng r = firn_rng_make(3, 1, 1);
    int hits = 0, turned = 0;
    for (int k = 0; k < 3000; k++) {
        const firn_ray ray = random_ray(&r, 3, 1.2);
        const firn_surface_hit hit = firn_geometry_trace(g, ray, FLT_MAX);
        assert_equal(firn_geometry_blocked(g, ray, FLT_MAX), is_hit(hit));
        const double end = is_hit(hit) ? (double)hit.t - 1e-4 : 6;
        double deepest = 1;
        for (double t = 0; t < end; t += 0.004) {
            const firn_vec3 x = firn_v3_madd(ray.origin, (firn_real)t, ray.direction);
            deepest = fmin(deepest, (double)firn_collider_distance(&posed, &scene.shapes, x));
        }
        assert_greater(deepest, -1e-3);  // a step at a grazing edge
        if (!is_hit(hit)) continue;
        hits++;
        firn_vec3 n;
        const double d = (double)firn_collider_sample(&posed, &scene.shapes, hit.x, &n);
        if (!(fabs(d) < 1e-4)) fail_msg("hit at distance %g", d);
        turned += firn_v3_dot(n, hit.face) < (firn_real)0.99;
    }
    assert_greater(hits, 1000);
    assert_less(turned, hits / 100);  // at inner edges two faces are as near
    firn_collider_destroy(&posed);
    firn_geometry_destroy(g);
    firn_scene_data_destroy(&scene);
}

// Two half spaces that meet in a ridge have no bounds; the picture's box gives them some.
static void unbounded_shapes_are_seen(void** state)
{
    (void)state;
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    const firn_local a = add_plane_shape(&scene, 1, 1, 0), b = add_plane_shape(&scene, -1, 1, 0);
    const firn_local ridge = add_node(
        &scene,
        (firn_shape_node){.kind = FIRN_SHAPE_INTERSECTION, .a = a, .b = b, .q = {1, 0, 0, 0}});
    add_collider(&scene, ridge);
    firn_geometry* g = make_geometry(&scene, 0, eye);
    for (int k = -3; k <= 3; k++) {
        const firn_real x = (firn_real)(0.3 * k + 0.01);
        const firn_surface_hit hit =
            firn_geometry_trace(g, (firn_ray){firn_v3(x, 3, x), firn_v3(0, -1, 0)}, FLT_MAX);
        assert_true(is_hit(hit));
        assert_near((hit.x.y + firn_abs(x)), 0, 1e-4);
    }
    firn_geometry_destroy(g);
    firn_scene_data_destroy(&scene);
}

// From any point that was hit, no ray into the open meets the same body again: bodies are convex.
static void rays_leave_what_they_hit(void** state)
{
    (void)state;
    firn_rng r = firn_rng_make(4, 1, 1);
    for (int kind = 0; kind < 3; kind++)
        for (int far = 0; far < 2; far++) {
            firn_scene_data scene;
            firn_scene_data_init(&scene);
            const firn_local shape =
                kind == 0   ? add_sphere(&scene, 0, 0, 0, 1)
                : kind == 1 ? add_box_shape(&scene, 0.7, 0.7, 0.7,
                                            firn_q_from_euler(firn_v3((firn_real)0.3, 1, 0)))
                            : add_plane_shape(&scene, 1, 3, 1);
            const firn_vec3 shift = firn_v3(0, 0, far != 0 ? 40 : 0);
            add_collider(&scene, shape)->motion.position = shift;
            firn_geometry* g = make_geometry(&scene, 0, firn_v3_add(eye, shift));
            int64_t again = 0, tried = 0;
            for (int k = 0; k < 3000; k++) {
                firn_ray ray = random_ray(&r, 3, 1);
                ray.origin = firn_v3_add(ray.origin, shift);
                const firn_surface_hit hit = firn_geometry_trace(g, ray, FLT_MAX);
                if (!is_hit(hit)) continue;
                for (int q = 0; q < 8; q++) {  // half of them graze
                    firn_vec3 to = random_direction(&r);
                    if (q % 2 == 0) to = firn_v3_madd(to, -firn_v3_dot(to, hit.face), hit.face);
                    to = firn_v3_madd(to, (firn_real)1e-3, hit.face);
                    if (firn_v3_dot(to, hit.face) < 0) to = firn_v3_scale(to, -1);
                    to = firn_v3_normalize(to, hit.face);
                    again += firn_geometry_blocked(g, (firn_ray){firn_geometry_leave(&hit), to},
                                                   FLT_MAX);
                    tried++;
                }
            }
            if (again != 0 || tried < 3000)
                fail_msg("kind %d: %d of %d meet it again", kind, (int)again, (int)tried);
            firn_geometry_destroy(g);
            firn_scene_data_destroy(&scene);
        }
}

static void near_never_misses(void** state)
{
    (void)state;
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    add_collider(&scene, add_sphere(&scene, 0, 1, 0, 0.5));
    add_collider(&scene, add_plane_shape(&scene, 0, 1, 0));
    add_collider(&scene, csg(&scene))->motion.position = firn_v3(2, 1, 0);
    firn_geometry* g = make_geometry(&scene, 0, eye);
    firn_rng r = firn_rng_make(5, 1, 1);
    int near = 0, told = 0;
    for (int k = 0; k < 30000; k++) {
        const firn_vec3 x = firn_v3_add(
            firn_v3_scale(random_direction(&r), (firn_real)(3 * (double)firn_rng_unit(&r))),
            firn_v3(1, 1, 0));
        const float radius = 0.3f * firn_rng_unit(&r);
        // distance to the nearest surface of ball and floor, exactly
        const double ball = fabs((double)firn_v3_length(firn_v3_sub(x, firn_v3(0, 1, 0))) - 0.5);
        const double d = fmin(ball, fabs((double)x.y));
        const bool said = firn_geometry_near(g, x, radius);
        if (d <= (double)radius) assert_true(said);
        near += d <= (double)radius;
        told += said;
        if (said) continue;  // then no ray of that length meets anything
        for (int q = 0; q < 4; q++)
            assert_false(firn_geometry_blocked(g, (firn_ray){x, random_direction(&r)}, radius));
    }
    assert_greater(near, 2000);
    assert_less(told, 15000);  // it says no where most of the snow is
    firn_geometry_destroy(g);
    firn_scene_data_destroy(&scene);
}

static void lamps_and_looks(void** state)
{
    (void)state;
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    firn_collider* c = add_collider(&scene, add_sphere(&scene, 0, 0, 0, 0.5));
    c->look = (firn_look){FIRN_LOOK_METAL, {0.9f, 0.8f, 0.7f}, 0.2f, 0.5f, 1};
    c = add_collider(&scene, add_sphere(&scene, 3, 0, 0, 0.5));
    c->look = (firn_look){FIRN_LOOK_ROUGH, {-1, 0, 0}, 0.3f, 0.04f, 1};
    for (int k = 0; k < 2; k++)
        scene.render.lights[scene.render.light_count++] =
            (firn_lamp){.center = {3.0 * k, 2, 0}, .edge_u = {1, 0, 0}, .edge_v = {0, 0, 1}};
    firn_geometry* g = make_geometry(&scene, 0, eye);
    for (int k = 0; k < 2; k++) {
        const firn_vec3 x = firn_v3((firn_real)(3 * k + 0.1), 1, (firn_real)0.2);
        const firn_ray up = {x, firn_v3(0, 1, 0)}, down = {x, firn_v3(0, -1, 0)};
        firn_surface_hit hit = firn_geometry_trace(g, up, FLT_MAX);
        assert_equal(hit.light, k);
        assert_null(hit.surface);
        assert_near(hit.t, 1, 1e-5f);
        assert_less(hit.normal.y, (firn_real)-0.99);
        assert_true(firn_geometry_blocked(g, up, 1.001f));
        assert_false(firn_geometry_blocked(g, up, 0.999f));
        hit = firn_geometry_trace(g, down, FLT_MAX);
        assert_equal(hit.light, -1);
        assert_non_null(hit.surface);
        if (k == 0) {
            assert_equal(hit.surface->kind, FIRN_SURFACE_METAL);
            assert_equal(hit.surface->colour.g, 0.8f);
            assert_equal(hit.surface->roughness, 0.2f);
            assert_equal(hit.surface->specular, 0.5f);
        } else  // the second body's own colour
        {
            assert_equal(hit.surface->kind, FIRN_SURFACE_ROUGH);
            assert_equal(hit.surface->colour.b, 0.19f);
        }
    }
    assert_false(is_hit(firn_geometry_trace(
        g, (firn_ray){firn_v3((firn_real)0.6, 1, 0), firn_v3(0, 1, 0)}, FLT_MAX)));
    firn_geometry_destroy(g);
    firn_scene_data_destroy(&scene);
}

static void nothing_and_the_eye_inside(void** state)
{
    (void)state;
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    const firn_ray ray = {eye, firn_v3_normalize(firn_v3(-1, -1, -1), firn_v3(1, 0, 0))};
    firn_geometry* g = make_geometry(&scene, 0, eye);
    assert_false(is_hit(firn_geometry_trace(g, ray, FLT_MAX)));
    assert_false(firn_geometry_blocked(g, ray, FLT_MAX) || firn_geometry_near(g, eye, 100));
    firn_geometry_destroy(g);
    firn_geometry_destroy(NULL);
    add_collider(&scene, add_sphere(&scene, 5, 5, 5, 1));  // around the eye
    add_collider(&scene, add_sphere(&scene, 0, 0, 0, 1));
    scene.colliders[1].look = (firn_look){FIRN_LOOK_DIFFUSE, {0.5f, 0, 0}, 0.5f, 0, 1};
    g = make_geometry(&scene, 0, eye);
    const firn_surface_hit hit = firn_geometry_trace(g, ray, FLT_MAX);
    assert_true(is_hit(hit));
    assert_equal(hit.surface->colour.r, 0.5f);
    const firn_ray back = {firn_v3(0, 3, 0), firn_v3_normalize(firn_v3(5, 2, 5), eye)};
    assert_false(is_hit(firn_geometry_trace(g, back, FLT_MAX)));  // casts no shadow either
    firn_geometry_destroy(g);
    scene.colliders[1].look.kind = FIRN_LOOK_HIDDEN;
    g = make_geometry(&scene, 0, eye);
    assert_false(is_hit(firn_geometry_trace(g, ray, FLT_MAX)));
    firn_geometry_destroy(g);
    firn_scene_data_destroy(&scene);
}

int test_geometry(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_by_formula),        cmocka_unit_test(boxes_by_slabs),
        cmocka_unit_test(planes_have_no_end),        cmocka_unit_test(trees_of_shapes),
        cmocka_unit_test(unbounded_shapes_are_seen), cmocka_unit_test(rays_leave_what_they_hit),
        cmocka_unit_test(near_never_misses),         cmocka_unit_test(lamps_and_looks),
        cmocka_unit_test(nothing_and_the_eye_inside)};
    return cmocka_run_group_tests_name("geometry", tests, NULL, NULL);
}
