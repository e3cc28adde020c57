// SPDX-License-Identifier: MIT
// Surfaces: densities that sum to one, no more light than arrives, the same both ways.
#include "render/path/surface.h"

#include <math.h>

#include "firn_test.h"

#define PI 3.14159265358979323846

static const firn_surface surfaces[] = {
    {.kind = FIRN_SURFACE_DIFFUSE,
     .colour = {0.8f, 0.5f, 0.2f},
     .roughness = 0.5f,
     .specular = 0.04f},
    {.kind = FIRN_SURFACE_SHADOW_CATCHER,
     .colour = {0.4f, 0.4f, 0.4f},
     .roughness = 0.5f,
     .specular = 0.04f},
    {.kind = FIRN_SURFACE_ROUGH,
     .colour = {0.7f, 0.3f, 0.1f},
     .roughness = 0.3f,
     .specular = 0.04f},
    {.kind = FIRN_SURFACE_ROUGH, .colour = {0.9f, 0.9f, 0.9f}, .roughness = 1.0f, .specular = 0.5f},
    {.kind = FIRN_SURFACE_ROUGH, .colour = {0, 0, 0}, .roughness = 0.5f, .specular = 0.0f},
    {.kind = FIRN_SURFACE_METAL, .colour = {0.9f, 0.7f, 0.4f}, .roughness = 0.4f, .specular = 0},
    {.kind = FIRN_SURFACE_METAL, .colour = {1, 1, 1}, .roughness = 1.0f, .specular = 0},
};
#define SURFACES ((int)(sizeof surfaces / sizeof surfaces[0]))

static const firn_vec3 normal = {(firn_real)0.36, (firn_real)-0.48, (firn_real)0.8};

static firn_vec3 tilted(firn_vec3 n, double cosine, double turn)
{
    const firn_vec3 s = firn_v3_normalize(firn_v3_cross(n, firn_v3(0, 1, 0)), firn_v3(1, 0, 0));
    const firn_vec3 t = firn_v3_cross(n, s);
    const double sine = sqrt(1 - cosine * cosine);
    firn_vec3 d = firn_v3_scale(n, (firn_real)cosine);
    d = firn_v3_madd(d, (firn_real)(sine * cos(turn)), s);
    d = firn_v3_madd(d, (firn_real)(sine * sin(turn)), t);
    return firn_v3_normalize(d, n);
}

// Midpoints over the hemisphere: integrals of the pdf and of f cos (green).
static void integrate(const firn_surface* s, firn_vec3 from, double* out_pdf, double* out_light)
{
    const int nc = 600, nt = 400;
    double pdf_sum = 0, light = 0;
    for (int c = 0; c < nc; c++)
        for (int t = 0; t < nt; t++) {
            float pdf;
            const firn_vec3 to = tilted(normal, (c + 0.5) / nc, (t + 0.5) * 2 * PI / nt);
            light += (double)firn_surface_eval(s, normal, from, to, &pdf).g;
            pdf_sum += (double)pdf;
        }
    *out_pdf = pdf_sum * 2 * PI / nc / nt;
    *out_light = light * 2 * PI / nc / nt;
}

// Each sample's weight is f cos / pdf of what eval says; the mean weight is the integral of f cos.
// The pdf integrates to the share of samples that go up (GGX sends some down at grazing angles).
static void samples_agree_with_values(void** state)
{
    (void)state;
    static const double cosines[] = {0.98, 0.5, 0.15};
    for (int k = 0; k < SURFACES; k++)
        for (int a = 0; a < 3; a++) {
            const firn_surface* s = &surfaces[k];
            const firn_vec3 from = tilted(normal, cosines[a], 0.7);
            double pdf_sum, light, mean = 0;
            int up = 0;
            integrate(s, from, &pdf_sum, &light);
            firn_rng r = firn_rng_make((uint64_t)k, (uint64_t)a, 1);
            const int n = 60000;
            for (int q = 0; q < n; q++) {
                const firn_scatter sample = firn_surface_sample(s, normal, from, &r);
                assert_near(firn_v3_length(sample.to), 1, 1e-5);
                mean += (double)sample.weight.g / n;
                if (!(sample.pdf > 0)) continue;
                up++;
                float pdf;
                const firn_rgb f = firn_surface_eval(s, normal, from, sample.to, &pdf);
                // the direction goes through the world's axes and back
                assert_near(pdf / sample.pdf, 1, 0.01f);
                assert_near(f.g, sample.weight.g * sample.pdf, 0.01f * (f.g + 1e-3f));
            }
            // 60000 samples: 1 % is more than 4 standard errors of either
            if (fabs(pdf_sum - (double)up / n) > 0.01 || fabs(light - mean) > 0.01)
                fail_msg("surface %d from %g: pdf %.4f up %.4f, light %.4f mean %.4f", k,
                         cosines[a], pdf_sum, (double)up / n, light, mean);
            if (s->kind <= FIRN_SURFACE_DIFFUSE || s->kind == FIRN_SURFACE_SHADOW_CATCHER) {
                // the midpoint rule of integrate()
                assert_near(pdf_sum, 1, 1e-3);
                assert_equal(up, n);
                assert_near(light, s->colour.g, 1e-3);
            }
        }
}

// Smooth metal seen from above: nothing goes down, so the pdf has all of 1.
static void seen_normals_are_all_of_them(void** state)
{
    (void)state;
    const firn_surface s = {
        .kind = FIRN_SURFACE_METAL, .colour = {1, 1, 1}, .roughness = 0.15f, .specular = 0};
    double pdf, light;
    integrate(&s, tilted(normal, 0.95, 2.1), &pdf, &light);
    if (!(fabs(pdf - 1) < 2e-3)) fail_msg("%g", pdf);
    assert_greater(light, 0.98);
    assert_less(light, 1.002);  // a mirror of 1 loses next to nothing
}

// White furnace: whatever the roughness, coat and angle, a white surface gives back at most 1.
static void no_more_light_than_arrives(void** state)
{
    (void)state;
    static const float roughness[] = {0.02f, 0.2f, 0.5f, 0.8f, 1}, coats[] = {0, 0.04f, 0.3f, 1};
    static const double cosines[] = {1, 0.8, 0.5, 0.25, 0.1, 0.02};
    const int n = 6000;
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 4; j++)
                for (int a = 0; a < 6; a++) {
                    const firn_surface s = {.kind = kind ? FIRN_SURFACE_METAL : FIRN_SURFACE_ROUGH,
                                            .colour = {1, 1, 1},
                                            .roughness = roughness[i],
                                            .specular = coats[j]};
                    firn_rng r = firn_rng_make(7, (uint64_t)(i * 100 + j), (uint64_t)a);
                    double sum = 0, square = 0;
                    for (int q = 0; q < n; q++) {
                        const double w = (double)firn_surface_sample(
                                             &s, normal, tilted(normal, cosines[a], 1), &r)
                                             .weight.r;
                        sum += w / n;
                        square += w * w / n;
                    }
                    const double error = sqrt(fmax(0, square - sum * sum) / n);
                    if (!(sum <= 1 + 4 * error + 1e-4) || !(sum > (kind ? 0.3 : 0.88)))
                        fail_msg("kind %d roughness %g coat %g cosine %g: %.4f +- %.4f", kind,
                                 (double)roughness[i], (double)coats[j], cosines[a], sum, error);
                }
}

static void the_same_both_ways(void** state)
{
    (void)state;
    firn_rng r = firn_rng_make(3, 1, 4);
    for (int q = 0; q < 5000; q++) {
        const firn_surface* s = &surfaces[q % SURFACES];
        const double ca = 0.05 + 0.95 * (double)firn_rng_unit(&r);
        const double cb = 0.05 + 0.95 * (double)firn_rng_unit(&r);
        const firn_vec3 a = tilted(normal, ca, 6.28 * (double)firn_rng_unit(&r));
        const firn_vec3 b = tilted(normal, cb, 6.28 * (double)firn_rng_unit(&r));
        float pdf;
        const double ab = (double)firn_surface_eval(s, normal, a, b, &pdf).r / cb;
        const double ba = (double)firn_surface_eval(s, normal, b, a, &pdf).r / ca;
        assert_near(ab, ba, 1e-3 * (ab + 1e-3));
    }
}

// Nothing breaks where cosines vanish, or where a smoothed normal looks the other way.
static void grazing_angles_are_finite(void** state)
{
    (void)state;
    firn_rng r = firn_rng_make(5, 5, 5);
    static const double cosines[] = {1e-3, 1e-6, 0, -1e-3, -0.3, -1};
    static const float roughness[] = {0.02f, 0.3f, 1, 0, -1, 5};
    for (int q = 0; q < 40000; q++) {
        firn_surface s = surfaces[q % SURFACES];
        s.roughness = roughness[q / 7 % 6];
        const firn_vec3 n = q % 3 == 0 ? firn_v3(0, 0, -1) : normal;
        const firn_vec3 from = tilted(n, cosines[q / 42 % 6], q);
        const firn_scatter sample = firn_surface_sample(&s, n, from, &r);
        const float w = sample.weight.r + sample.weight.g + sample.weight.b;
        if (!(w < 10))
            fail_msg("weight %g kind %d roughness %g cosine %g", (double)w, (int)s.kind,
                     (double)s.roughness, cosines[q / 42 % 6]);
        assert_finite(w);
        assert_at_least(w, 0);
        assert_finite(sample.pdf);
        assert_at_least(sample.pdf, 0);
        assert_true(firn_v3_is_finite(sample.to));
        assert_true(w == 0 || firn_v3_dot(sample.to, n) > (firn_real)-1e-6);
        float pdf;
        const firn_rgb f = firn_surface_eval(&s, n, from, tilted(n, cosines[q % 6], q + 1), &pdf);
        assert_finite(f.r + f.g + f.b + pdf);
        assert_at_least(f.r, 0);
        assert_at_least(pdf, 0);
    }
    float pdf;  // light from below does nothing
    const firn_rgb f =
        firn_surface_eval(&surfaces[2], normal, normal, tilted(normal, -0.1, 0), &pdf);
    assert_equal(f.r, 0);
    assert_equal(f.g, 0);
    assert_equal(f.b, 0);
    assert_equal(pdf, 0);
}

int test_surface(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_agree_with_values), cmocka_unit_test(seen_normals_are_all_of_them),
        cmocka_unit_test(no_more_light_than_arrives), cmocka_unit_test(the_same_both_ways),
        cmocka_unit_test(grazing_angles_are_finite)};
    return cmocka_run_group_tests_name("surface", tests, NULL, NULL);
}
