// SPDX-License-Identifier: MIT
// The model sun-sky: Preetham, Shirley and Smits 1999, A Practical Analytic Model for Daylight.
#include "render/daylight_scene.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979324
#define DEGREE (PI / 180)

// ---- the sun ------------------------------------------------------------------------------------

// Spectral radiance of the sun outside the atmosphere, 380 to 750 nm in steps of 10
// [100 W/(m^2 nm sr)] (appendix).
#define WAVES 38
static const float sun_radiance[WAVES] = {
    165.5f, 162.3f, 211.2f, 258.8f, 258.2f, 242.3f, 267.6f, 296.6f, 305.4f, 300.6f,
    306.6f, 288.3f, 287.1f, 278.2f, 271.0f, 272.3f, 263.6f, 255.0f, 250.6f, 253.1f,
    253.5f, 251.3f, 246.3f, 241.7f, 236.8f, 232.1f, 228.2f, 223.4f, 219.7f, 215.3f,
    211.0f, 207.3f, 202.4f, 198.7f, 194.3f, 190.7f, 186.3f, 182.6f};
// Absorption of ozone [1/cm] at the same wavelengths, linear between 355 nm and 445 nm.
static const float ozone[WAVES] = {0.001f, 0.001f, 0.002f, 0.002f, 0.002f, 0.003f, 0.003f, 0.003f,
                                   0.006f, 0.009f, 0.014f, 0.021f, 0.030f, 0.040f, 0.048f, 0.063f,
                                   0.075f, 0.085f, 0.103f, 0.120f, 0.120f, 0.115f, 0.125f, 0.120f,
                                   0.105f, 0.090f, 0.079f, 0.067f, 0.057f, 0.048f, 0.036f, 0.028f,
                                   0.023f, 0.018f, 0.014f, 0.011f, 0.010f, 0.009f};
// Absorption of water vapour [1/cm], 690 to 750 nm; none below.
static const float vapour[7] = {0.016f, 0.024f, 0.0125f, 1.0f, 0.87f, 0.061f, 0.001f};

#define SUN_SOLID_ANGLE 6.7443e-5  // [sr]
#define OZONE 0.35                 // [cm]
#define VAPOUR 2.0                 // [cm]
#define LUMENS 683.0               // per watt at 555 nm

// One lobe of the CIE 1931 colour matching functions in the fit of Wyman, Sloan and Shirley 2013.
static double lobe(double wave, double centre, double below, double above)
{
    const double t = (wave - centre) / (wave < centre ? below : above);
    return firn_exp_double(-0.5 * t * t);
}

static void match(double w, double out[3])
{
    out[0] = 1.056 * lobe(w, 599.8, 37.9, 31.0) + 0.362 * lobe(w, 442.0, 16.0, 26.7) -
             0.065 * lobe(w, 501.1, 20.4, 26.2);
    out[1] = 0.821 * lobe(w, 568.8, 46.9, 40.5) + 0.286 * lobe(w, 530.9, 16.3, 31.1);
    out[2] = 1.217 * lobe(w, 437.0, 11.8, 36.0) + 0.681 * lobe(w, 459.0, 26.0, 13.8);
}

static double power(double x, double exponent)
{
    return firn_exp_double(exponent * firn_log_double(x));
}

// Share of light that the air lets through (appendix); `m`: relative optical mass.
static double transmission(int k, double wave, double m, double turbidity)
{
    const double micro = wave / 1000;
    const double rayleigh = 0.008735 * power(micro, -4.08);
    const double aerosol = (0.04608 * turbidity - 0.04586) * power(micro, -1.3);
    const double absorbed = k >= WAVES - 7 ? (double)vapour[k - (WAVES - 7)] : 0;
    const double wet = absorbed * VAPOUR * m;
    const double water = 0.2385 * wet / power(1 + 20.07 * wet, 0.45);
    return firn_exp_double(-m * (rayleigh + aerosol + (double)ozone[k] * OZONE) - water);
}

void firn_sun_light(double cosine, double turbidity, double out_xyz[3])
{
    const double angle = firn_atan2_double(sqrt(1 - cosine * cosine), cosine) / DEGREE;
    const double m = 1 / (cosine + 0.15 * power(93.885 - angle, -1.253));
    out_xyz[0] = out_xyz[1] = out_xyz[2] = 0;
    for (int k = 0; k < WAVES; k++) {
        const double wave = 380 + 10 * k;
        double weight[3];
        match(wave, weight);
        const double through = turbidity > 0 ? transmission(k, wave, m, turbidity) : 1;
        // [W/(m^2 nm)] times 10 nm
        const double power_in = 100 * (double)sun_radiance[k] * SUN_SOLID_ANGLE * through * 10;
        for (int c = 0; c < 3; c++) out_xyz[c] += LUMENS * power_in * weight[c];
    }
}

// ---- the sky ------------------------------------------------------------------------------------

// a T + b of appendix A.2
static const float slopes[3][5][2] = {
    {{0.1787f, -1.4630f},
     {-0.3554f, 0.4275f},
     {-0.0227f, 5.3251f},
     {0.1206f, -2.5771f},
     {-0.0670f, 0.3703f}},
    {{-0.0193f, -0.2592f},
     {-0.0665f, 0.0008f},
     {-0.0004f, 0.2125f},
     {-0.0641f, -0.8989f},
     {-0.0033f, 0.0452f}},
    {{-0.0167f, -0.2608f},
     {-0.0950f, 0.0092f},
     {-0.0079f, 0.2102f},
     {-0.0441f, -1.6537f},
     {-0.0109f, 0.0529f}},
};
// chromaticities at the zenith: of T^2, T, 1, each of the angle's powers 3 to 0
static const double zenith_x[3][4] = {{0.00166, -0.00375, 0.00209, 0},
                                      {-0.02903, 0.06377, -0.03202, 0.00394},
                                      {0.11693, -0.21196, 0.06052, 0.25886}};
static const double zenith_y[3][4] = {{0.00275, -0.00610, 0.00317, 0},
                                      {-0.04214, 0.08970, -0.04153, 0.00516},
                                      {0.15346, -0.26756, 0.06670, 0.26688}};

static double chromaticity(const double m[3][4], double T, double angle)
{
    const double of_T[3] = {T * T, T, 1};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += of_T[i] * (((m[i][0] * angle + m[i][1]) * angle + m[i][2]) * angle + m[i][3]);
    return sum;
}

static void set_model(firn_sun_sky* s, double cosine, double T, double strength)
{
    double sine, down;
    const double angle = firn_atan2_double(sqrt(1 - cosine * cosine), cosine);
    firn_sincos_double((4.0 / 9 - T / 120) * (PI - 2 * angle), &sine, &down);
    const double luminance = (4.0453 * T - 4.9710) * sine / down - 0.2155 * T + 2.4192;
    const double zenith[3] = {luminance / FIRN_SUN_SKY_UNIT * strength,
                              chromaticity(zenith_x, T, angle), chromaticity(zenith_y, T, angle)};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 5; k++)
            s->perez[i][k] = (float)((double)slopes[i][k][0] * T + (double)slopes[i][k][1]);
        s->zenith[i] = (float)(zenith[i] / firn_sun_sky_perez(s->perez[i], 1, angle, cosine));
    }
    s->on = true;
}

// Means over rings of the sky: at the horizon, and over the hemisphere.
static void set_means(firn_daylight* d)
{
    enum { RINGS = 8, SIDES = 16 };
    d->horizon = d->dome = firn_rgb_of(0, 0, 0);
    for (int j = 0; j < SIDES; j++) {
        double s, c;
        firn_sincos_double(2 * PI * (j + 0.5) / SIDES, &s, &c);
        const firn_vec3 level = firn_v3((firn_real)s, 0, (firn_real)c);
        const firn_rgb low = firn_sun_sky_radiance(&d->model, d->sun, level);
        d->horizon = firn_rgb_madd(d->horizon, 1.0f / SIDES, low);
        for (int i = 0; i < RINGS; i++) {  // equal solid angles
            const double y = (i + 0.5) / RINGS, out = sqrt(1 - y * y);
            const firn_vec3 to = firn_v3((firn_real)(out * s), (firn_real)y, (firn_real)(out * c));
            d->dome = firn_rgb_madd(d->dome, 1.0f / (RINGS * SIDES),
                                    firn_sun_sky_radiance(&d->model, d->sun, to));
        }
    }
    d->haze = firn_rgb_scale(d->horizon, 0.72f);  // as with the gradient
    d->zenith = firn_sun_sky_radiance(&d->model, d->sun, firn_v3(0, 1, 0));
}

// From 700 lx at sunset to 3.4 lx at the end of civil twilight, 6 degrees below the horizon.
static double twilight(double height)
{
    return height < 0 ? firn_exp_double(0.89 * height / DEGREE) : 1;
}

firn_daylight firn_daylight_sun_sky(firn_vec3 sun, double turbidity, double sun_strength,
                                    double sky_strength)
{
    firn_daylight d;
    memset(&d, 0, sizeof d);
    d.sun = firn_v3_normalize(sun, firn_v3(0, 1, 0));
    const double height = (double)d.sun.y, cosine = height < 0 ? 0 : height < 1 ? height : 1;
    set_model(&d.model, cosine, turbidity, sky_strength * twilight(height));
    set_means(&d);
    double xyz[3];
    firn_sun_light(cosine, turbidity, xyz);
    const double scale = sun_strength / (PI * 1000 * FIRN_SUN_SKY_UNIT);   // of a white surface
    const float up = firn_smooth_between(-0.005f, 0.005f, (float)height);  // its disc sets
    d.direct = firn_rgb_scale(firn_sun_sky_rgb(xyz[0], xyz[1], xyz[2]), (float)scale * up);
    return d;
}

firn_daylight firn_daylight_of_scene(const firn_render_block* r)
{
    const firn_vec3 sun = firn_v3((firn_real)r->sun[0], (firn_real)r->sun[1], (firn_real)r->sun[2]);
    if (r->sky_model == FIRN_SKY_SUN_SKY)
        return firn_daylight_sun_sky(sun, r->sky_turbidity, r->sun_strength, r->sky_strength);
    return firn_daylight_make(sun, (float)r->sun_strength, (float)r->sky_strength);
}
