// SPDX-License-Identifier: MIT
// Snow under uniform stress on a smooth floor: how much of the stress the floor carries at once, by
// the kind of contact and the position of the floor between nodes. theory/mpm.md, "Contact at the
// surface".
#include "solver/collider_load.h"
#include "solver/mpm/world.h"

static const double h = 0.02, strain = 1e-3;

// `value` within `tolerance` of `expected`.
static void check_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%g instead of %g +- %g", value, expected, tolerance);
}

// Impulse on the floor in the first step over its time and the stress times the area. A block of 6
// x 6 x 6 cells whose lower face is at `surface` cells above nodes, stressed along y only.
static double share(firn_mpm_contact_kind contact, double surface, double tilt)
{
    world* w = world_create(h);
    w->def.contact = contact;
    w->def.grip = 0;
    world_lattice(w, (const double[3]){-3, surface, -3}, (const double[3]){6, 6, 6}, 2, 0);
    const firn_real c = (firn_real)cos(tilt), s = (firn_real)sin(tilt),
                    y = (firn_real)(surface * h);
    const firn_vec3 n = firn_v3(-s, c, 0);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        const firn_vec3 x = w->seeds.position[p];
        w->seeds.position[p] = firn_v3(c * x.x - s * (x.y - y), s * x.x + c * (x.y - y) + y, x.z);
    }
    world_plane(w, firn_v3(0, y, 0), n, 0);
    world_start(w);
    const firn_snow_material* snow = &w->material.snow;
    const firn_real e = (firn_real)strain, across = snow->poisson * e;
    for (firn_local p = 0; p < w->m->p.count; p++) {  // R diag(1 + nu e, 1 - e, 1 + nu e) R^T
        const firn_real a = 1 + across, b = 1 - e;
        const firn_mat3 F = {{{c * c * a + s * s * b, s * c * (a - b), 0},
                              {s * c * (a - b), s * s * a + c * c * b, 0},
                              {0, 0, a}}};
        w->m->p.def_grad_elastic[p] = F;
    }
    const double dt = 1e-5;
    world_step(w, dt);
    const firn_collider_load load = w->m->base.loads.last[0];
    const double force =
        (double)load.impulse[0] * (double)n.x + (double)load.impulse[1] * (double)n.y;
    const double stress = (double)snow->young * strain, area = 36 * h * h;
    world_destroy(w);
    return -force / (dt * stress * area);
}

// The paper's contact: what the weights of the nodes inside add up to at the surface. 3 %: two
// particles per cell stand for an integral.
static void nodes_inside_carry_their_weights(void** state)
{
    (void)state;
    check_near(share(FIRN_MPM_CONTACT_NODES, 0, 0), 5.0 / 6, 0.03);
    check_near(share(FIRN_MPM_CONTACT_NODES, 0.5, 0), 0.5, 0.03);
}

// The surface carries all but 1/16 (test contact_column), wherever it is and however it leans.
static void surface_carries_all(void** state)
{
    (void)state;
    const double at[] = {0, 0.25, 0.5, 0.75, 0.9};
    for (int k = 0; k < 5; k++)
        for (int t = 0; t < 4; t++)
            check_near(share(FIRN_MPM_CONTACT_SURFACE, at[k], 0.26 * t), 1, 1.0 / 16 + 0.03);
}

int test_mpm_contact(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nodes_inside_carry_their_weights),
                                       cmocka_unit_test(surface_carries_all)};
    return cmocka_run_group_tests_name("mpm_contact", tests, NULL, NULL);
}
