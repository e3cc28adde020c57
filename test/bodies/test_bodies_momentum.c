// SPDX-License-Identifier: MIT
// A crowd of bodies that collide and are joined, in empty space: linear and angular momentum do not
// change from step to step, and energy does not rise. VALIDATION T58.
#include "bodies/stage.h"

typedef struct motion {
    double linear[3], angular[3];  // about the origin
    double size, reach;            // sums of m |v| and of |x| m |v| + |L|
    double energy;
} motion;

static void add_cross(double out[3], firn_vec3 a, double m, firn_vec3 b)
{
    const double x[3] = {(double)a.x, (double)a.y, (double)a.z};
    const double y[3] = {(double)b.x, (double)b.y, (double)b.z};
    for (int d = 0; d < 3; d++)
        out[d] += m * (x[(d + 1) % 3] * y[(d + 2) % 3] - x[(d + 2) % 3] * y[(d + 1) % 3]);
}

static motion measure(const stage* s)
{
    motion sum = {0};
    for (firn_local k = 0; k < firn_bodies_count(s->bodies); k++) {
        const firn_rigid* b = firn_bodies_rigid(s->bodies, k);
        const firn_vec3 L = firn_rigid_angular_momentum(b);
        const double m = (double)b->mass, v = (double)firn_v3_length(b->velocity);
        const double own[3] = {(double)L.x, (double)L.y, (double)L.z};
        const double x[3] = {(double)b->velocity.x, (double)b->velocity.y, (double)b->velocity.z};
        add_cross(sum.angular, b->position, m, b->velocity);
        // what rounding left of the position counts
        add_cross(sum.angular, b->remainder, m, b->velocity);
        for (int d = 0; d < 3; d++) {
            sum.linear[d] += m * x[d];
            sum.angular[d] += own[d];
        }
        sum.size += m * v;
        sum.reach += m * v * (double)firn_v3_length(b->position) + (double)firn_v3_length(L);
        sum.energy += 0.5 * m * v * v + 0.5 * (double)firn_v3_dot(L, b->spin);
    }
    return sum;
}

// Thrown at the middle from all sides, each with some spin.
static void throw_in(stage* s, int k)
{
    const firn_real r = (firn_real)0.1;
    const firn_shape_node kinds[4] = {
        stage_box(0.2, 0.15, 0.1),
        {.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, r}},
        {.kind = FIRN_SHAPE_CAPSULE, .p = {-r, 0, 0, r, 0, 0, (firn_real)0.05}},
        {.kind = FIRN_SHAPE_CYLINDER, .p = {0, 0, -r, 0, 0, r, (firn_real)0.08, 0}}};
    const double a = 2.4 * k, z = 0.9 - 0.18 * k, w = sqrt(1 - z * z);
    const firn_vec3 x = to_v3(0.5 * w * cos(a), 0.5 * w * sin(a), 0.5 * z);
    const firn_local c = stage_add(s, kinds[k % 4], x, firn_q_from_vector(to_v3(k, 2, -k)));
    stage_weigh(s, c, 1 + 0.7 * k, firn_v3_scale(x, (firn_real)(-2 - 0.1 * k)),
                to_v3(3 * cos(3 * a), 1, sin(a)));
}

static void join(stage* s, firn_joint_kind kind, firn_local a, firn_local b)
{
    firn_joint j = firn_joint_of_kind(kind);
    const firn_vec3 x_a = s->colliders[a].motion.position, x_b = s->colliders[b].motion.position;
    j.a = a;
    j.b = b;
    j.point_a =
        firn_joint_is_line(kind) ? x_a : firn_v3_scale(firn_v3_add(x_a, x_b), (firn_real)0.5);
    j.point_b = x_b;
    j.stiffness = 500;
    j.damping = 2;
    s->joints[s->joint_count++] = j;
}

static void is_conserved(void** state)
{
    (void)state;
    stage* s = stage_create();
    s->gravity = to_v3(0, 0, 0);
    for (int k = 0; k < 10; k++) throw_in(s, k);
    join(s, FIRN_JOINT_BALL, 0, 2);
    join(s, FIRN_JOINT_HINGE, 1, 3);
    join(s, FIRN_JOINT_FIXED, 4, 5);
    join(s, FIRN_JOINT_SPRING, 6, 7);
    join(s, FIRN_JOINT_ROD, 8, 9);
    stage_start(s);
    double linear = 0, angular = 0;
    const motion first = measure(s);
    motion before = first;
    firn_local contacts = 0;
    for (int k = 0; k < 600; k++) {
        stage_step(s, 1e-3);
        for (firn_local b = 0; b < 10; b++) contacts += firn_bodies_contact_count(s->bodies, b);
        const motion now = measure(s);
        for (int d = 0; d < 3; d++) {
            linear = fmax(linear, fabs(now.linear[d] - before.linear[d]) / first.size);
            angular = fmax(angular, fabs(now.angular[d] - before.angular[d]) / first.reach);
        }
        before = now;
    }
    print_message("%d contacts, energy %.3f of %.3f J\n", (int)contacts, before.energy,
                  first.energy);
    assert_true(contacts > 100);
    assert_true(before.energy < first.energy);
    check_figure(T58_momentum, linear);
    check_figure(T58_angular_momentum, angular);
    stage_destroy(s);
}

int test_bodies_momentum(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_conserved)};
    return cmocka_run_group_tests_name("bodies_momentum", tests, NULL, NULL);
}
