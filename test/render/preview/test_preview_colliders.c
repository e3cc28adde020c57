// SPDX-License-Identifier: MIT
// Solid bodies in pictures: rays against exact intersections, shadows, edges, cut-away.
#include "render/preview/preview_colliders.h"

#include "geometry/formula_body.h"
#include "snow_scene.h"

static firn_camera camera_at(double x, double y, double z)
{
    return firn_camera_make(firn_v3((firn_real)x, (firn_real)y, (firn_real)z), firn_v3(0, 0, 0), 35,
                            960, 540);
}

// A floor, a sphere of radius 0.5 at height 1, and a rounded box beside it.
static void setup_colliders(snow_scene* s, firn_preview_colliders* colliders,
                            const firn_camera* camera)
{
    memset(s, 0, sizeof *s);
    add_collider(s, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
    add_collider(s, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 1, 0, 0.5f}});
    add_collider(
        s, (firn_shape_node){.kind = FIRN_SHAPE_BOX, .p = {3, 0.5f, 0, 0.4f, 0.5f, 0.4f, 0.05f}});
    assert_int_equal(
        firn_preview_colliders_create(colliders, s->colliders, 3, &s->data.shapes, 0, camera, NULL),
        FIRN_OK);
}

static void exact_intersections(void** state)
{
    (void)state;
    snow_scene s;
    firn_preview_colliders b;
    const firn_camera c = camera_at(0, 1, 5);
    setup_colliders(&s, &b, &c);
    assert_int_equal(b.count, 3);
    firn_collider_hit hit = firn_preview_colliders_trace(&b, (firn_ray){c.eye, firn_v3(0, 0, -1)});
    assert_int_equal(hit.collider, 1);
    assert_near(hit.t, 4.5f, 1e-3f);  // a tenth of a pixel is 6e-4 there
    const firn_vec3 n = firn_preview_collider_normal(&b, 1, firn_v3(0, 1, 0.5f));
    assert_greater(n.z, 0.999f);
    hit = firn_preview_colliders_trace(&b, (firn_ray){firn_v3(-2, 1, 0), firn_v3(0, -1, 0)});
    assert_int_equal(hit.collider, 0);
    assert_near(hit.t, 1, 1e-6f);
    hit = firn_preview_colliders_trace(&b, (firn_ray){c.eye, firn_v3(0, 1, 0)});
    assert_int_equal(hit.collider, -1);
    assert_equal(hit.t, b.reach);
    // behind the sphere, then past it
    hit = firn_preview_colliders_trace(&b, (firn_ray){firn_v3(0, 1, -0.6f), firn_v3(0, 0, -1)});
    assert_int_equal(hit.collider, -1);
    firn_preview_colliders_destroy(&b);
    s.colliders[1].look.kind = FIRN_LOOK_HIDDEN;
    assert_int_equal(firn_preview_colliders_create(&b, s.colliders, 3, &s.data.shapes, 0, &c, NULL),
                     FIRN_OK);
    assert_int_equal(b.count, 2);
    hit = firn_preview_colliders_trace(&b, (firn_ray){c.eye, firn_v3(0, 0, -1)});
    assert_int_equal(hit.collider, -1);
    firn_preview_colliders_destroy(&b);
    teardown_scene(&s);
}

// A ray that passes half a pixel beside a body leaves half a fringe; one that hits leaves none.
static void soft_edges(void** state)
{
    (void)state;
    snow_scene s;
    firn_preview_colliders b;
    const firn_camera c = camera_at(0, 1, 5);
    setup_colliders(&s, &b, &c);
    const firn_real pixel = c.pixel * 5;
    for (int k = -4; k <= 8; k++) {
        const firn_real beside = 0.5f + 0.25f * (firn_real)k * pixel;
        const firn_ray ray = {firn_v3(0, 1 + beside, 5), firn_v3(0, 0, -1)};
        const firn_collider_hit hit = firn_preview_colliders_trace(&b, ray);
        if (k < 0) {
            assert_int_equal(hit.collider, 1);
            assert_int_equal(hit.fringe_collider, -1);
        } else if (k >= 1 && k <= 3) {
            assert_int_equal(hit.collider, -1);
            assert_int_equal(hit.fringe_collider, 1);
            assert_near(hit.fringe, 1 - 0.25f * (float)k, 0.15f);
        } else if (k > 4) {
            assert_int_equal(hit.fringe_collider, -1);
        }
    }
    firn_preview_colliders_destroy(&b);
    teardown_scene(&s);
}

static void shadows(void** state)
{
    (void)state;
    snow_scene s;
    firn_preview_colliders b;
    const firn_camera c = camera_at(0, 1, 5);
    setup_colliders(&s, &b, &c);
    const firn_vec3 up = firn_v3(0, 1, 0);
    assert_equal(firn_preview_colliders_sun(&b, firn_v3(0, 0, 0), up, 0), 0);  // under the sphere
    assert_equal(firn_preview_colliders_sun(&b, firn_v3(1, 0, 0), up, 0), 1);  // beside it
    const float edge = firn_preview_colliders_sun(&b, firn_v3(0.5f, 0, 0), up, 0);
    assert_greater(edge, 0.1f);
    assert_less(edge, 0.9f);                                                      // at the rim
    assert_equal(firn_preview_colliders_sun(&b, firn_v3(0, 1.5f, 0), up, 1), 1);  // on top of it
    assert_equal(firn_preview_colliders_sun(&b, firn_v3(0, 2, 0), firn_v3(0, -1, 0), -1),
                 0);  // night
    // the sky is closed off near a body, open far from it
    const float near = firn_preview_colliders_visibility(&b, firn_v3(0, 0.45f, 0), up, 0.2f, 0);
    const float far = firn_preview_colliders_visibility(&b, firn_v3(-2, 0.45f, 0), up, 0.2f, 0);
    assert_less(near, 0.5f);
    assert_equal(far, 1);
    firn_preview_colliders_destroy(&b);
    teardown_scene(&s);
}

// A body around the eye is left out; moving bodies are where they are at the time.
static void cut_away_and_motion(void** state)
{
    (void)state;
    snow_scene s;
    firn_preview_colliders b;
    firn_camera c = camera_at(0, -2, 5);
    setup_colliders(&s, &b, &c);
    assert_int_equal(b.count, 2);  // no floor
    firn_preview_colliders_destroy(&b);
    c = camera_at(0, 1, 5);
    s.colliders[1].motion.velocity = firn_v3(1, 0, 0);
    assert_int_equal(firn_preview_colliders_create(&b, s.colliders, 3, &s.data.shapes, 2, &c, NULL),
                     FIRN_OK);
    const firn_collider_hit hit =
        firn_preview_colliders_trace(&b, (firn_ray){firn_v3(2, 1, 5), firn_v3(0, 0, -1)});
    assert_int_equal(hit.collider, 1);
    assert_near(hit.t, 4.5f, 1e-3f);
    firn_preview_colliders_destroy(&b);
    teardown_scene(&s);
}

// A deforming ball, twice as large as its keys say: met where it is at the time, seen from afar,
// its shadow where it should be, and gone without a trace when a key cannot be made.
static void deforming_bodies(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    formula_body f = {.velocity = {1, 0, 0},
                      .radius = (firn_real)0.25,
                      .growth = (firn_real)0.05,
                      .interval = 0.5,
                      .key_count = 5,
                      .voxel = (firn_real)0.02,
                      .band = (firn_real)0.08,
                      .bad_key = 4};
    const firn_deforming_def def = formula_def((size_t)1 << 30);
    snow_scene s;
    memset(&s, 0, sizeof s);
    add_collider(&s, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
    firn_collider* c = &s.colliders[s.data.collider_count++];
    *c = (firn_collider){.shape = -1, .motion = firn_motion_at_rest()};
    c->deforming = formula_open(&f, &def);
    c->motion.position = firn_v3(0, 1, 0);
    c->motion.scale = 2;
    firn_preview_colliders b;
    const firn_camera camera = camera_at(0, 1, 5);
    for (double t = 0; t < 1.4; t += 0.3) {
        assert_int_equal(
            firn_preview_colliders_create(&b, s.colliders, 2, &s.data.shapes, t, &camera, NULL),
            FIRN_OK);
        const firn_real x = (firn_real)(2 * t), radius = (firn_real)(0.5 + 0.1 * t);
        const firn_ray ray = {firn_v3(x, 1, 5), firn_v3(0, 0, -1)};
        const firn_collider_hit hit = firn_preview_colliders_trace(&b, ray);
        assert_int_equal(hit.collider, 1);
        assert_near(hit.t, 5 - radius, 0.01f);
        assert_greater(firn_preview_collider_normal(&b, 1, firn_v3(x, 1, radius)).z, 0.99f);
        assert_equal(firn_preview_colliders_sun(&b, firn_v3(x, 0, 0), firn_v3(0, 1, 0), 0), 0);
        assert_equal(firn_preview_colliders_sun(&b, firn_v3(x + 1, 0, 0), firn_v3(0, 1, 0), 0), 1);
        const firn_ray past = {firn_v3(x + radius + 0.1f, 1, 5), firn_v3(0, 0, -1)};
        assert_int_equal(firn_preview_colliders_trace(&b, past).collider, -1);
        firn_preview_colliders_destroy(&b);
    }
    firn_error error;
    assert_int_equal(
        firn_preview_colliders_create(&b, s.colliders, 2, &s.data.shapes, 1.9, &camera, &error),
        FIRN_REFUSED_IO);
    assert_null(b.items);
    assert_equal(b.count, 0);
    // around the eye it is left out
    const firn_camera inside = camera_at(0, 1, 0.1);
    assert_int_equal(
        firn_preview_colliders_create(&b, s.colliders, 2, &s.data.shapes, 0, &inside, NULL),
        FIRN_OK);
    assert_int_equal(b.count, 1);
    firn_preview_colliders_destroy(&b);
    firn_collider_destroy(c);
    teardown_scene(&s);
    assert_equal(firn_memory_read().bytes, before);
}

// Adds the union of the last two shapes; blend 0 is a sharp one.
static firn_local unite(firn_shapes* shapes, firn_local a, firn_local b, firn_real blend)
{
    const firn_shape_node node = {
        .kind = FIRN_SHAPE_UNION, .a = a, .b = b, .p = {blend}, .q = firn_q_identity()};
    firn_local shape;
    assert_int_equal(firn_shapes_add(shapes, &node, &shape, NULL), FIRN_OK);
    return shape;
}

static firn_local add_shape(firn_shapes* shapes, firn_shape_node node)
{
    firn_local shape;
    node.a = node.b = -1;
    node.q = firn_q_identity();
    assert_int_equal(firn_shapes_add(shapes, &node, &shape, NULL), FIRN_OK);
    return shape;
}

// A floor and two boxes as one union. Blended by a micrometre it is traced as one distance field,
// which differs by a quarter of that at most.
static void setup_union(snow_scene* s, firn_preview_colliders* b, const firn_camera* camera,
                        firn_real blend)
{
    memset(s, 0, sizeof *s);
    firn_shapes* shapes = &s->data.shapes;
    const firn_local floor =
        add_shape(shapes, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
    const firn_local left = add_shape(
        shapes, (firn_shape_node){.kind = FIRN_SHAPE_BOX, .p = {-0.5f, 0.2f, 0, 0.3f, 0.2f, 0.3f}});
    const firn_local right =
        add_shape(shapes, (firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                            .p = {0.7f, 0.4f, 0.2f, 0.2f, 0.4f, 0.2f}});
    const firn_local shape = unite(shapes, unite(shapes, floor, left, blend), right, blend);
    s->colliders[0] = (firn_collider){.shape = shape, .motion = firn_motion_at_rest()};
    s->data.collider_count = 1;
    assert_int_equal(firn_preview_colliders_create(b, s->colliders, 1, shapes, 0, camera, NULL),
                     FIRN_OK);
    assert_int_equal(b->count, 1);
    assert_int_equal(b->parts.count, blend > 0 ? 1 : 3);
}

// The parts of a union make the picture of the whole: hits within a tenth of a pixel of both
// tracings, shadows but for their rims, ambient light within rounding.
static void union_by_parts(void** state)
{
    (void)state;
    snow_scene s, t;
    firn_preview_colliders parts, whole;
    const firn_camera c = camera_at(0, 1, 3);
    setup_union(&s, &parts, &c, 0);
    setup_union(&t, &whole, &c, 1e-6f);
    const firn_vec3 sun = firn_v3_normalize(firn_v3(-1, 1, 0.4f), firn_v3(0, 1, 0));
    int rays = 0, others = 0, rims = 0;
    for (int py = 160; py < 540; py += 5)  // below the horizon, which the whole does not reach
        for (int px = 0; px < 960; px += 7, rays++) {
            const firn_ray ray = firn_camera_ray(&c, (firn_real)px, (firn_real)py);
            const firn_collider_hit a = firn_preview_colliders_trace(&parts, ray);
            const firn_collider_hit b = firn_preview_colliders_trace(&whole, ray);
            assert_int_equal(a.collider, 0);
            const firn_vec3 x = firn_v3_madd(ray.origin, a.t, ray.direction);
            const firn_vec3 n = firn_preview_collider_normal(&parts, 0, x);
            const firn_vec3 m = firn_preview_collider_normal(&whole, 0, x);
            if (firn_v3_dot(n, m) < 0.999f || firn_abs(a.t - b.t) > 0.01f * a.t) {
                others++;  // within a tenth of a pixel of an edge
                continue;
            }
            const float lit = firn_preview_colliders_sun(&parts, x, sun, 0);
            rims += fabsf(lit - firn_preview_colliders_sun(&whole, x, sun, 0)) > 0.1f;
            const firn_vec3 up = firn_v3(0.3f, 0.8f, 0.52f);
            assert_near(firn_preview_colliders_visibility(&parts, x, up, 0.3f, -1),
                        firn_preview_colliders_visibility(&whole, x, up, 0.3f, -1), 1e-3f);
        }
    print_message("of %d rays %d differ at edges, %d in the rim of a shadow\n", rays, others, rims);
    assert_less(others, rays / 200);
    assert_less(rims, rays / 100);
    firn_preview_colliders_destroy(&parts);
    firn_preview_colliders_destroy(&whole);
    teardown_scene(&s);
    teardown_scene(&t);
}

// The floor of a union reaches to the horizon, as a plane of its own does.
static void union_to_the_horizon(void** state)
{
    (void)state;
    snow_scene s;
    firn_preview_colliders b;
    const firn_camera c = camera_at(0, 1, 3);
    setup_union(&s, &b, &c, 0);
    const firn_vec3 d = firn_v3_normalize(firn_v3(0.2f, -0.01f, -1), firn_v3(0, 0, -1));
    const firn_collider_hit hit = firn_preview_colliders_trace(&b, (firn_ray){c.eye, d});
    assert_int_equal(hit.collider, 0);
    assert_near(hit.t, -c.eye.y / d.y, 1e-3f * hit.t);
    firn_preview_colliders_destroy(&b);
    teardown_scene(&s);
}

int test_preview_colliders(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_intersections),
        cmocka_unit_test(soft_edges),
        cmocka_unit_test(shadows),
        cmocka_unit_test(cut_away_and_motion),
        cmocka_unit_test(deforming_bodies),
        cmocka_unit_test(union_by_parts),
        cmocka_unit_test(union_to_the_horizon),
    };
    return cmocka_run_group_tests_name("preview_colliders", tests, NULL, NULL);
}
