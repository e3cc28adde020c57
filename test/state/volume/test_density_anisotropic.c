// SPDX-License-Identifier: MIT
// Anisotropic kernels: no mass lost, a smoother surface than splines make and not a thinner one,
// odd clouds of particles, the same bits for any number of threads.
#include "state/volume/density_anisotropic.h"

#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "seed.h"
#include "team_use.h"

#define SPACING 0.01   // [m]
#define DENSITY 400.0  // [kg/m^3]

typedef struct cloud {
    firn_local count;
    firn_vec3* x;
    firn_real* m;
} cloud;

static cloud make_cloud(firn_local count, uint64_t seed, double size)
{
    cloud c = {.count = count,
               .x = firn_alloc((size_t)count, sizeof *c.x),
               .m = firn_alloc((size_t)count, sizeof *c.m)};
    any_source r = {seed, 0};
    for (firn_local p = 0; p < count; p++) {
        c.x[p] = any_vec3(&r, size);
        c.m[p] = (firn_real)any_between(&r, 1e-4, 4e-4);
    }
    return c;
}

static void destroy_cloud(cloud* c)
{
    firn_free(c->x);
    firn_free(c->m);
}

static firn_result try_build(const cloud* c, double spacing, double voxel, firn_density_volume* v,
                             firn_error* error)
{
    return firn_density_anisotropic_build(c->x, NULL, c->m, c->count, spacing, voxel, v, error);
}

static firn_density_volume build(const cloud* c, double voxel, int threads)
{
    firn_density_volume v;
    firn_error error;
    use_team(threads);
    if (try_build(c, SPACING, voxel, &v, &error) != FIRN_OK) fail_msg("%s", error.text);
    return v;
}

// Densities are rounded to float, and so is each particle's scale: 6e-8, less in the sum.
static void check_mass(const cloud* c, const firn_density_volume* v)
{
    double mass = 0, expected = 0;
    for (size_t k = 0; k < (size_t)v->block_count * 512; k++) {
        assert_at_least(v->density[k], 0);
        mass += (double)v->density[k] * v->voxel * v->voxel * v->voxel;
    }
    for (firn_local p = 0; p < c->count; p++) expected += (double)c->m[p];
    assert_near(mass, expected, 2e-7 * expected);  // densities are rounded to float
}

// Voxels from a third of the spacing, where kernels reach over several blocks, to four spacings,
// where they are smaller than a voxel.
static void mass_is_exact(void** state)
{
    (void)state;
    cloud c = make_cloud(3000, 3, 12 * SPACING);
    const double voxels[] = {0.1, 0.3, 1, 4};  // [spacings]
    for (int k = 0; k < 4; k++) {
        if (k == 0) c.count = 60;
        firn_density_volume v = build(&c, voxels[k] * SPACING, 2);
        check_mass(&c, &v);
        assert_null(v.velocity);
        c.count = 3000;
        firn_density_volume_destroy(&v);
    }
    destroy_cloud(&c);
}

// By hand: round, half as wide as a kernel deep in the snow (two spacings), widened by a voxel.
static void one_particle_by_hand(void** state)
{
    (void)state;
    const double voxel = 0.4 * SPACING, at[3] = {7.25, -0.5, 15.75};  // [voxels]
    cloud c = make_cloud(1, 1, 1);
    c.x[0] =
        firn_v3((firn_real)(at[0] * voxel), (firn_real)(at[1] * voxel), (firn_real)(at[2] * voxel));
    firn_density_volume v = build(&c, voxel, 1);
    const double radius2 = 2.5 * 2.5 + 1;  // [voxels^2]
    double weights[8 * 512], sum = 0;
    assert_int_equal(v.block_count, 8);
    for (int b = 0; b < 8; b++) {
        for (int k = 0; k < 512; k++) {
            const double d[3] = {v.origin[b][0] + (k >> 6) - at[0],
                                 v.origin[b][1] + (k >> 3 & 7) - at[1],
                                 v.origin[b][2] + (k & 7) - at[2]};
            const double rest = 1 - (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / radius2;
            weights[512 * b + k] = rest > 0 ? rest * rest * rest : 0;
            sum += weights[512 * b + k];
        }
    }
    const double whole = (double)c.m[0] / (voxel * voxel * voxel);
    for (int k = 0; k < 8 * 512; k++)  // positions of the float build: 1e-7 of 16 voxels
        assert_near(v.density[k], whole * weights[k] / sum, 1e-5 * whole);
    firn_density_volume_destroy(&v);
    destroy_cloud(&c);
}

// A slab of jittered particles, THICK spacings thick, turned about its middle.
enum { SIDE = 24, THICK = 10 };
static cloud make_slab(firn_mat3 turn, uint64_t seed)
{
    cloud c = make_cloud(SIDE * SIDE * THICK, 1, 1);
    any_source r = {seed, 0};
    for (int p = 0; p < c.count; p++) {
        const double at[3] = {p / SIDE % SIDE - SIDE / 2., p / (SIDE * SIDE) - THICK / 2.,
                              p % SIDE - SIDE / 2.};
        firn_real y[3];
        for (int d = 0; d < 3; d++)
            y[d] = (firn_real)(SPACING * (at[d] + any_between(&r, 0.1, 0.9)));
        c.x[p] = firn_m3_mul_v3(turn, firn_v3(y[0], y[1], y[2]));
        c.m[p] = (firn_real)(DENSITY * SPACING * SPACING * SPACING);
    }
    return c;
}

static double voxel_at(const firn_density_volume* v, const int32_t at[3])
{
    firn_local low = 0, high = v->block_count;  // blocks are sorted
    while (low < high) {
        const firn_local b = low + (high - low) / 2;
        const int32_t* o = v->origin[b];
        int order = 0;
        for (int d = 0; d < 3 && order == 0; d++)
            order = (o[d] > (at[d] & ~7)) - (o[d] < (at[d] & ~7));
        if (order == 0)
            return (double)v->density[512 * b + ((at[0] & 7) * 8 + (at[1] & 7)) * 8 + (at[2] & 7)];
        if (order < 0)
            low = b + 1;
        else
            high = b;
    }
    return 0;
}

// Trilinear, as light sees it.
static double density_at(const firn_density_volume* v, firn_vec3 x)
{
    const double at[3] = {(double)x.x / v->voxel, (double)x.y / v->voxel, (double)x.z / v->voxel};
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        int32_t voxel[3];
        double w = 1;
        for (int d = 0; d < 3; d++) {
            const int up = corner >> d & 1;
            const double low = floor(at[d]);
            voxel[d] = (int32_t)low + up;
            w *= up != 0 ? at[d] - low : 1 - (at[d] - low);
        }
        if (w > 0) sum += w * voxel_at(v, voxel);
    }
    return sum;
}

typedef struct surface {
    double height, rms;  // [spacings] of the surface of half the density above the slab's middle
    double width;        // [spacings] from a tenth of the density to half of it
} surface;

// From outside inwards, the height at which `share` of the density is reached.
static double height_of(const firn_density_volume* v, firn_mat3 turn, double x, double z,
                        double share)
{
    const double step = 0.1;
    double outer = 0;
    for (double y = THICK / 2. + 3; y > 0; y -= step) {
        const firn_vec3 local =
            firn_v3((firn_real)(x * SPACING), (firn_real)(y * SPACING), (firn_real)(z * SPACING));
        const double inner = density_at(v, firn_m3_mul_v3(turn, local)) / DENSITY;
        if (inner >= share) return y + step * (inner - share) / (inner - outer);
        outer = inner;
    }
    fail_msg("no snow at (%g, %g)", x, z);
    return 0;
}

static surface measure(const firn_density_volume* v, firn_mat3 turn)
{
    const double edge = SIDE / 2. - 4;  // [spacings] away from the slab's sides
    double sum = 0, squares = 0, width = 0, n = 0;
    for (double x = -edge; x <= edge; x += 0.8) {
        for (double z = -edge; z <= edge; z += 0.8) {
            const double y = height_of(v, turn, x, z, 0.5);
            sum += y;
            squares += y * y;
            width += height_of(v, turn, x, z, 0.1) - y;
            n++;
        }
    }
    const double mean = sum / n;
    return (surface){mean, sqrt(squares / n - mean * mean), width / n};
}

// At the voxel of pictures, a third of a cell of 8 particles, however the slab lies. Splines give
// an rms of 0.21 to 0.26 spacings, anisotropic kernels 0.08 to 0.12.
static void slabs_are_smooth_sharp_and_not_thinner(void** state)
{
    (void)state;
    any_source r = {21, 0};
    for (int k = 0; k < 3; k++) {
        const firn_mat3 turn = k == 0 ? firn_m3_identity() : any_rotation(&r);
        cloud c = make_slab(turn, 5 + (uint64_t)k);
        firn_density_volume round, drawn = build(&c, SPACING * 2 / 3, 2);
        assert_int_equal(
            firn_density_volume_build(c.x, NULL, c.m, c.count, SPACING * 2 / 3, &round, NULL),
            FIRN_OK);
        const surface a = measure(&round, turn), b = measure(&drawn, turn);
        print_message("splines: height %.3f, rms %.3f, width %.2f; anisotropic: %.3f, %.3f, %.2f\n",
                      a.height, a.rms, a.width, b.height, b.rms, b.width);
        assert_less(b.rms * 1.5, a.rms);
        assert_less(b.width, a.width);
        assert_near(b.height, THICK / 2., 0.1);  // spacings: about its rms
        firn_density_volume_destroy(&round);
        firn_density_volume_destroy(&drawn);
        destroy_cloud(&c);
    }
}

enum { LONE, TWO, PLANE, LINE, COINCIDENT, FAR_OFF, WEIGHTLESS, KINDS };
static cloud make_odd(int kind)
{
    static const firn_local counts[KINDS] = {1, 2, 900, 900, 9000, 900, 900};
    cloud c = make_cloud(counts[kind], 30, 10 * SPACING);
    for (firn_local p = 0; p < c.count; p++) {
        if (kind == PLANE) c.x[p].y = 0;
        if (kind == LINE) c.x[p] = firn_v3(0, (firn_real)(p * SPACING / 20), 0);
        if (kind == COINCIDENT) c.x[p] = c.x[0];
        if (kind == FAR_OFF) c.x[p].z += 3e4f;
        if (kind == WEIGHTLESS) c.m[p] = 0;
    }
    return c;
}

static void odd_clouds_keep_their_mass(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        cloud c = make_odd(kind);
        firn_density_volume v = build(&c, SPACING / 2, 2);
        assert_greater(v.block_count, 0);
        check_mass(&c, &v);
        firn_density_volume_destroy(&v);
        destroy_cloud(&c);
    }
}

// A ball of particles that flies apart: the kernel in its middle shrinks to that of a lone particle
// without a jump, which in a film would be a flicker. The others weigh nothing.
static void nothing_jumps_when_snow_comes_apart(void** state)
{
    (void)state;
    enum { COUNT = 100, STEPS = 80 };
    cloud c = make_cloud(COUNT, 8, 2 * SPACING);
    firn_vec3 start[COUNT];
    memcpy(start, c.x, sizeof start);
    start[0] = firn_v3(0, 0, 0);
    for (int p = 1; p < COUNT; p++) c.m[p] = 0;
    double last = 0, first = 0, most = 0;
    for (int k = 0; k <= STEPS; k++) {
        for (int p = 0; p < COUNT; p++) c.x[p] = firn_v3_scale(start[p], (firn_real)(1 + 0.02 * k));
        firn_density_volume v = build(&c, SPACING / 2, 1);
        double density = 0;  // where the mass is
        for (int n = 0; n < v.block_count * 512; n++)
            density += (double)v.density[n] * (double)v.density[n];
        firn_density_volume_destroy(&v);
        if (k == 0) first = density;
        if (k > 0) most = fmax(most, fabs(density / last - 1));
        last = density;
    }
    print_message("%.2f times as dense, in steps of at most %.3f\n", last / first, most);
    assert_greater(last, 2 * first);
    assert_less(most, 0.2);  // 2 % in size is 6 % in volume; a jump would be a factor
    destroy_cloud(&c);
}

static uint64_t hash_of(const firn_density_volume* v)
{
    const uint64_t h = firn_hash(v->origin, (size_t)v->block_count * sizeof *v->origin, 0);
    return firn_hash(v->density, (size_t)v->block_count * 512 * 4, h);
}

static void threads_do_not_matter(void** state)
{
    (void)state;
    cloud c = make_cloud(6000, 7, 10 * SPACING);
    const int threads[] = {1, 2, 3, 7, 16, 0};
    uint64_t first = 0;
    for (int k = 0; k < 6; k++) {
        firn_density_volume v = build(&c, 0.7 * SPACING, threads[k]);
        if (k == 0) first = hash_of(&v);
        assert_equal(hash_of(&v), first);
        firn_density_volume_destroy(&v);
    }
    destroy_cloud(&c);
}

// Sorted, each once, none empty, though kernels are round and boxes are not.
static void blocks_are_those_that_are_needed(void** state)
{
    (void)state;
    cloud c = make_cloud(100, 9, 40 * SPACING);
    const double voxels[] = {0.15, 0.7};  // [spacings] kernels reach two blocks, or one
    for (int n = 0; n < 2; n++) {
        firn_density_volume v = build(&c, voxels[n] * SPACING, 2);
        for (firn_local b = 0; b < v.block_count; b++) {
            float most = 0;
            for (int k = 0; k < 512; k++) most = fmaxf(most, v.density[512 * b + k]);
            assert_greater(most, 0);
            if (b == 0) continue;
            const int32_t *p = v.origin[b - 1], *q = v.origin[b];
            assert_true(p[0] < q[0] ||
                        (p[0] == q[0] && (p[1] < q[1] || (p[1] == q[1] && p[2] < q[2]))));
        }
        firn_density_volume_destroy(&v);
    }
    destroy_cloud(&c);
}

static void bad_input_is_refused(void** state)
{
    (void)state;
    cloud c = make_cloud(100, 2, 1);
    firn_density_volume v = {.block_count = 99};
    firn_error error;
    assert_int_equal(try_build(&(cloud){0}, 1, 1, &v, &error), FIRN_OK);
    assert_int_equal(v.block_count, 0);
    const double lengths[] = {0, -1, (double)NAN, (double)INFINITY};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(try_build(&c, SPACING, lengths[k], &v, &error), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(try_build(&c, lengths[k], SPACING, &v, &error), FIRN_REFUSED_ARGUMENT);
        assert_contains(error.text, "particle spacing");
    }
    // too fine, and what the message says would do does
    c.count = 1;
    assert_int_equal(try_build(&c, SPACING, SPACING / 21, &v, &error), FIRN_REFUSED_ARGUMENT);
    const char* advice = strstr(error.text, "use ");
    assert_non_null(advice);
    const double voxel = strtod(advice + strlen("use "), NULL);
    assert_int_equal(try_build(&c, SPACING, voxel, &v, &error), FIRN_OK);
    firn_density_volume_destroy(&v);
    c.count = 100;
    c.x[57].y = (firn_real)NAN;
    assert_int_equal(try_build(&c, SPACING, SPACING, &v, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "particle 57");
    destroy_cloud(&c);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    cloud c = make_cloud(300, 2, 10 * SPACING);
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result != FIRN_OK; k++) {
        firn_density_volume v = {0};
        firn_error error = {0};
        firn_memory_fail_at(k, true);
        result = try_build(&c, SPACING, SPACING, &v, &error);
        firn_memory_fail_at(0, false);
        assert_either(result, FIRN_OK, FIRN_BROKEN_MEMORY);
        if (result != FIRN_OK) assert_contains(error.text, "use");
        firn_density_volume_destroy(&v);
        assert_int_equal(firn_memory_read().bytes, before);
        assert_in_range(k, 1, 100);
    }
    destroy_cloud(&c);
}

int test_density_anisotropic(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_is_exact),
        cmocka_unit_test(one_particle_by_hand),
        cmocka_unit_test(slabs_are_smooth_sharp_and_not_thinner),
        cmocka_unit_test(odd_clouds_keep_their_mass),
        cmocka_unit_test(nothing_jumps_when_snow_comes_apart),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(blocks_are_those_that_are_needed),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("density_anisotropic", tests, NULL, NULL);
}
