// SPDX-License-Identifier: MIT
// T41, figure 13: snowfall into a box. With the rest density of the current configuration flakes
// come to lie as dense as snow; with det F_P, which knows nothing of where they are, the pile stays
// looser and higher.
#include "solver/sph/world.h"

#define H 0.02
#define SIDE 8  // [h] of the box, inside

static firn_local cloud(world* w)
{
    const firn_real half = (firn_real)(0.5 * SIDE * H - 0.5 * H),
                    middle = (firn_real)(0.5 * SIDE * H);
    const firn_shape_node node = {.kind = FIRN_SHAPE_BOX,
                                  .a = -1,
                                  .b = -1,
                                  .p = {middle, (firn_real)0.6, middle, half, (firn_real)0.1, half},
                                  .q = firn_q_identity()};
    firn_local shape;
    assert_int_equal(firn_shapes_add(&w->scene.shapes, &node, &shape, &w->error), FIRN_OK);
    return shape;
}

typedef struct pile {
    double density;  // mean inside, over rho_0
    double height;   // [m] of the highest twentieth
    int count;
} pile;

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static pile measure(const world* w)
{
    pile out = {.count = w->m->p.count};
    double* y = firn_alloc((size_t)out.count, sizeof *y);
    for (int p = 0; p < out.count; p++) y[p] = (double)w->m->p.position[p].y;
    qsort(y, (size_t)out.count, sizeof *y, compare);
    out.height = y[out.count * 19 / 20];
    firn_free(y);
    double inside = 0;
    for (int p = 0; p < out.count; p++) {
        const firn_vec3 x = w->m->p.position[p];
        const double to_wall = fmin(fmin((double)x.x, SIDE * H - (double)x.x),
                                    fmin((double)x.z, SIDE * H - (double)x.z));
        if ((double)x.y > out.height - 3 * H || (double)x.y < H || to_wall < H) continue;
        out.density += (double)w->m->p.density[p] / 400;
        inside++;
    }
    out.density /= inside;
    return out;
}

static pile snowed(int rest_density)
{
    world* w = world_create(H);
    const firn_real end = (firn_real)(SIDE * H);
    w->def.rest_density = rest_density;
    w->scene.gravity[1] = -9.81;
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0.1);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(1, 0, 0), 0);
    world_plane(w, firn_v3(end, 0, 0), firn_v3(-1, 0, 0), 0);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 0, 1), 0);
    world_plane(w, firn_v3(0, 0, end), firn_v3(0, 0, -1), 0);
    w->emitters[w->scene.emitter_count++] = (firn_emitter){.shape = cloud(w),
                                                           .rate = 1000,
                                                           .velocity = {0, -1, 0},
                                                           .stop = INFINITY,
                                                           .limit = 800,
                                                           .seed = 5};
    world_start(w);
    while (w->time < 1.8) world_step(w, 2e-3);
    const pile out = measure(w);
    double fastest = 0;
    for (firn_local p = 0; p < w->m->p.count; p++)
        fastest = fmax(fastest, (double)firn_v3_length(w->m->p.velocity[p]));
    print_message("%d flakes, %.3f rho_0 inside, %.2f spacings high (%.2f if packed), fastest %.3f "
                  "m/s\n",
                  out.count, out.density, out.height / H, 800.0 / SIDE / SIDE, fastest);
    assert_int_equal(out.count, 800);
    world_destroy(w);
    return out;
}

static void T41_pile(void** state)
{
    (void)state;
    const pile current = snowed(FIRN_SPH_CURRENT), plastic = snowed(FIRN_SPH_PLASTIC);
    check_figure(T41_pile_density, current.density);
    check_figure(T41_pile_higher, plastic.height / current.height);
}

int test_sph_pile(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T41_pile)};
    return cmocka_run_group_tests_name("sph_pile", tests, NULL, NULL);
}
