// SPDX-License-Identifier: MIT
// Snow from particles: all of its mass, smooth inside, level at the top, grain that moves with it,
// and specks whose size the simulation does not set.
#include "state/volume/density_detail.h"

#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "seed.h"
#include "team_use.h"

#define SPACING 0.015625  // [m] 1/64: moving by spacings is exact
#define DENSITY 400.0
#define JITTER 0.3  // [spacings] particles are uniformly within this of their places

enum { SIDE = 20, COUNT = SIDE * SIDE * SIDE };

typedef struct cloud {
    firn_vec3 x[COUNT];
    firn_real mass[COUNT];
    uint32_t id[COUNT];
    firn_local count;
} cloud;

static void fill_cube(cloud* c)
{
    any_source r = any_start(3);
    c->count = COUNT;
    for (int p = 0; p < COUNT; p++) {
        const int at[3] = {p / (SIDE * SIDE), p / SIDE % SIDE, p % SIDE};
        double x[3];
        for (int d = 0; d < 3; d++)
            x[d] = SPACING * (at[d] + 0.5 + any_between(&r, -JITTER, JITTER));
        c->x[p] = firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
        c->mass[p] = (firn_real)(DENSITY * SPACING * SPACING * SPACING);
        c->id[p] = (uint32_t)(7 * p + 1);
    }
}

// Particles so far apart that none touches another's voxels.
static void fill_spray(cloud* c, double spacing)
{
    any_source r = any_start(4);
    c->count = 16;
    for (int p = 0; p < c->count; p++) {
        const double apart = 12 * spacing;
        const double at[3] = {apart * (p / 8), apart * (p / 4 % 2), apart * (p % 4)};
        const firn_vec3 off = any_vec3(&r, spacing);
        c->x[p] =
            firn_v3((firn_real)at[0] + off.x, (firn_real)at[1] + off.y, (firn_real)at[2] + off.z);
        c->mass[p] = (firn_real)(DENSITY * spacing * spacing * spacing);
        c->id[p] = (uint32_t)p;
    }
}

static firn_density_volume build(const cloud* c, double spacing, double voxel)
{
    firn_density_volume v;
    firn_error error;
    const firn_density_detail_def def = {.x = c->x,
                                         .mass = c->mass,
                                         .id = c->id,
                                         .count = c->count,
                                         .spacing = spacing,
                                         .voxel = voxel};
    if (firn_density_detail_build(&def, &v, &error) != FIRN_OK) fail_msg("%s", error.text);
    return v;
}

static int order_of(const int32_t* a, const int32_t* b)
{
    for (int d = 0; d < 3; d++)
        if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
    return 0;
}

// Density at a voxel; 0 where there is no block. Blocks are sorted by origin.
static double at_voxel(const firn_density_volume* v, int x, int y, int z)
{
    const int32_t origin[3] = {8 * (x >> 3), 8 * (y >> 3), 8 * (z >> 3)};
    firn_local low = 0, high = v->block_count;
    while (low < high) {
        const firn_local middle = low + (high - low) / 2;
        const int order = order_of(v->origin[middle], origin);
        if (order == 0)
            return (double)v->density[512 * middle + ((x & 7) * 8 + (y & 7)) * 8 + (z & 7)];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

// Sums of floats: 1e-5.
static void check_mass(const cloud* c, const firn_density_volume* v)
{
    double mass = 0, expected = 0;
    for (size_t k = 0; k < (size_t)v->block_count * 512; k++) {
        assert_at_least(v->density[k], 0);
        mass += (double)v->density[k] * v->voxel * v->voxel * v->voxel;
    }
    for (firn_local p = 0; p < c->count; p++) expected += (double)c->mass[p];
    print_message("mass %.9g of %.9g kg\n", mass, expected);
    assert_near(mass, expected, 1e-5 * expected);
}

static void mass_is_conserved(void** state)
{
    (void)state;
    static cloud c;
    const double voxels[] = {0.25, 0.5, 0.8, 1, 3};  // [spacings]
    for (int k = 0; k < 5; k++) {
        fill_cube(&c);
        firn_density_volume cube = build(&c, SPACING, voxels[k] * SPACING);
        check_mass(&c, &cube);
        firn_density_volume_destroy(&cube);
        fill_spray(&c, SPACING);
        c.mass[5] = 0;
        firn_density_volume spray = build(&c, SPACING, voxels[k] * SPACING);
        check_mass(&c, &spray);
        firn_density_volume_destroy(&spray);
    }
    c.count = 0;
    firn_density_volume none = build(&c, SPACING, SPACING);
    assert_int_equal(none.block_count, 0);
    firn_density_volume_destroy(&none);
}

static uint64_t hash_of(const firn_density_volume* v)
{
    const size_t n = (size_t)v->block_count;
    return firn_hash(v->density, n * 512 * sizeof(float),
                     firn_hash(v->origin, n * sizeof *v->origin, 0));
}

static void threads_make_no_difference(void** state)
{
    (void)state;
    static cloud c;
    fill_cube(&c);
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        use_team(k == 0 ? 1 : k == 1 ? 2 : 7);
        firn_density_volume v = build(&c, SPACING, SPACING / 2);
        hash[k] = hash_of(&v);
        firn_density_volume_destroy(&v);
    }
    use_team(0);
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

// Particles displaced by sigma [spacings] from a lattice make a density whose power grows as
// (k sigma)^2. Smoothed by Gaussians of variance b^2 = 2/3, those of two cubic B-splines:
//     variance = sigma^2 3 / (16 pi^(3/2) b^5)
static void packed_snow_is_smooth(void** state)
{
    (void)state;
    static cloud c;
    fill_cube(&c);
    const double b5 = pow(2.0 / 3, 2.5),
                 expected = JITTER / sqrt(3.0) * sqrt(3 / (16 * pow(3.14159265, 1.5) * b5));
    for (int fine = 2; fine <= 4; fine += 2) {
        firn_density_volume v = build(&c, SPACING, SPACING / fine);
        double square = 0, mean = 0;
        int count = 0;
        for (firn_local b = 0; b < v.block_count; b++)
            for (int k = 0; k < 512; k++) {
                const int at[3] = {v.origin[b][0] + (k >> 6), v.origin[b][1] + (k >> 3 & 7),
                                   v.origin[b][2] + (k & 7)};
                bool inside = true;
                for (int d = 0; d < 3; d++)
                    inside = inside && at[d] > 5 * fine && at[d] < (SIDE - 5) * fine;
                if (!inside) continue;
                const double value = (double)v.density[512 * b + k] / DENSITY;
                square += (value - 1) * (value - 1);
                mean += value;
                count++;
            }
        const double rough = sqrt(square / count);
        print_message("rms %.4f, by theory %.4f\n", rough, expected);
        assert_near(mean / count, 1, 0.02);
        assert_less(rough, 1.5 * expected);
        firn_density_volume_destroy(&v);
    }
}

// Thresholds take values within 0.15 of a half, nearly uniformly: 0.087 rms; the fraction of snow
// falls by 0.625 a spacing at the surface (15/16 over the window's reach of 1.5); with an edge of
// 0.2 that voxels sample. So the top is level within 0.14 spacings rms, disorder of the particles
// adds some 0.05 / 0.625. A ball of a particle would be twice as much.
static void a_flat_top_is_level(void** state)
{
    (void)state;
    static cloud c;
    fill_cube(&c);
    const int fine = 4;
    firn_density_volume v = build(&c, SPACING, SPACING / fine);
    double sum = 0, square = 0;
    int count = 0;
    for (int x = 5 * fine; x < (SIDE - 5) * fine; x += 3)
        for (int z = 5 * fine; z < (SIDE - 5) * fine; z += 3) {
            int y = (SIDE + 2) * fine;
            double above = 0, here = 0;
            for (; y > 0 && !(here > 0.5 * DENSITY); y--) {
                above = here;
                here = at_voxel(&v, x, y, z);
            }
            y++;  // the last one that was read
            const double top = (y + (here - 0.5 * DENSITY) / fmax(here - above, 1)) / fine - SIDE;
            sum += top;
            square += top * top;
            count++;
        }
    const double mean = sum / count, rms = sqrt(square / count - mean * mean);
    print_message("top %.3f, uneven by %.3f spacings\n", mean, rms);
    assert_near(mean, 0, 0.25);
    assert_less(rms, 0.25);
    firn_density_volume_destroy(&v);
}

// Mean length, along z, of runs of voxels with more than a quarter of the density of packed snow.
static double mean_run(const firn_density_volume* v, double spacing)
{
    int runs = 0, voxels = 0;
    const int end = (int)(40 * spacing / v->voxel);
    for (firn_local b = 0; b < v->block_count; b++)
        for (int k = 0; k < 512; k++) {
            const int x = v->origin[b][0] + (k >> 6), y = v->origin[b][1] + (k >> 3 & 7),
                      z = v->origin[b][2] + (k & 7);
            if (!((double)v->density[512 * b + k] > 0.25 * DENSITY) || z > end) continue;
            voxels++;
            runs += !(at_voxel(v, x, y, z - 1) > 0.25 * DENSITY);
        }
    assert_greater(runs, 0);
    return v->voxel * voxels / runs;
}

// With the same voxels, a lone particle of a simulation at half the resolution has eight times the
// mass, and would be a ball twice as wide. Its specks are not.
static void specks_do_not_grow_with_the_cell(void** state)
{
    (void)state;
    static cloud c;
    double run[2];
    for (int k = 0; k < 2; k++) {
        const double spacing = SPACING * (k + 1);
        fill_spray(&c, spacing);
        firn_density_volume v = build(&c, spacing, SPACING / 4);
        run[k] = mean_run(&v, spacing);
        firn_density_volume_destroy(&v);
    }
    print_message("specks of %.3g and %.3g mm\n", 1e3 * run[0], 1e3 * run[1]);
    assert_less(run[1], 1.35 * run[0]);
}

static void move(cloud* c, double by)
{
    for (firn_local p = 0; p < c->count; p++) c->x[p].y += (firn_real)by;
}

// Share of the mass that is elsewhere than `by` voxels above where it was.
static double difference(const firn_density_volume* a, const firn_density_volume* b, int by)
{
    double off = 0, all = 0;
    for (firn_local k = 0; k < a->block_count; k++)
        for (int n = 0; n < 512; n++) {
            const double value = (double)a->density[512 * k + n];
            off += fabs(value - at_voxel(b, a->origin[k][0] + (n >> 6),
                                         a->origin[k][1] + (n >> 3 & 7) + by,
                                         a->origin[k][2] + (n & 7)));
            all += value;
        }
    return off / (2 * all);
}

// By whole spacings: the same bits, elsewhere, up to the rounding of positions. By a voxel: solid
// voxels move along, and only how much each of them holds is found on other nodes. Without the
// numbers of the particles nothing stays.
static void the_grain_moves_with_the_snow(void** state)
{
    (void)state;
    static cloud c, other;
    const int fine = 4;
    for (int k = 0; k < 2; k++) {
        if (k == 0) fill_cube(&c);
        if (k == 1) fill_spray(&c, SPACING);
        firn_density_volume still = build(&c, SPACING, SPACING / fine);
        other = c;
        move(&other, 3 * SPACING);
        firn_density_volume far = build(&other, SPACING, SPACING / fine);
        move(&other, -2.75 * SPACING);
        firn_density_volume near = build(&other, SPACING, SPACING / fine);
        other = c;
        for (firn_local p = 0; p < c.count; p++) other.id[p] += 100000;
        firn_density_volume changed = build(&other, SPACING, SPACING / fine);
        const double by_spacings = difference(&still, &far, 3 * fine),
                     by_voxel = difference(&still, &near, 1),
                     by_id = difference(&still, &changed, 0);
        print_message("moved mass: %.2g, %.3g; with other numbers %.3g\n", by_spacings, by_voxel,
                      by_id);
        assert_less(by_spacings, 1e-4);
        assert_less(by_voxel, 0.1);
        assert_greater(by_id, k == 0 ? 0.01 : 0.2);
        firn_density_volume_destroy(&still);
        firn_density_volume_destroy(&far);
        firn_density_volume_destroy(&near);
        firn_density_volume_destroy(&changed);
    }
}

static void bad_input_is_refused(void** state)
{
    (void)state;
    static cloud c;
    fill_spray(&c, SPACING);
    firn_density_detail_def def = {
        .x = c.x, .mass = c.mass, .count = 4, .spacing = SPACING, .voxel = SPACING / 20};
    firn_density_volume v = {0};
    firn_error error = {0};
    assert_int_equal(firn_density_detail_build(&def, &v, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "use 0.00195312 m or more");
    def.spacing = 0;
    assert_int_equal(firn_density_detail_build(&def, &v, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "particle spacing of 0 m");
    def.spacing = SPACING;
    def.voxel = SPACING;
    c.x[2].y = (firn_real)NAN;
    assert_int_equal(firn_density_detail_build(&def, &v, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "particle 2");
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    static cloud c;
    fill_spray(&c, SPACING);
    const firn_density_detail_def def = {
        .x = c.x, .mass = c.mass, .count = c.count, .spacing = SPACING, .voxel = SPACING / 2};
    firn_result result = FIRN_BROKEN_MEMORY;
    const uint64_t before = firn_memory_read().bytes;
    for (uint64_t k = 1; result != FIRN_OK && k < 200; k++) {
        firn_density_volume v = {0};
        firn_error error = {0};
        firn_memory_fail_at(k, false);
        result = firn_density_detail_build(&def, &v, &error);
        firn_memory_fail_at(0, false);
        if (result != FIRN_OK) assert_contains(error.text, "memory");
        firn_density_volume_destroy(&v);
        assert_int_equal(firn_memory_read().bytes, before);
    }
    assert_int_equal(result, FIRN_OK);
}

int test_density_detail(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_is_conserved),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(packed_snow_is_smooth),
        cmocka_unit_test(a_flat_top_is_level),
        cmocka_unit_test(specks_do_not_grow_with_the_cell),
        cmocka_unit_test(the_grain_moves_with_the_snow),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("density_detail", tests, NULL, NULL);
}
