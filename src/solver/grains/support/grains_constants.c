// SPDX-License-Identifier: MIT
// Constants that the `grains` block of a scene makes: radius, mass, step, table 2 at another
// radius.
#include <math.h>

#include "geometry/sampling/packing.h"
#include "physics/grain_heat.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/seed.h"
#include "scene/run/snow_mass.h"
#include "solver/grains/support/grains_solver.h"

#define TABLE_RADIUS 0.05             // [m] of table 2
#define TABLE_DT 1e-3                 // [s] of the paper
#define TABLE_PERIOD2 (0.0125 / 875)  // [s^2] m / k of table 2's stiffest spring, ice
#define FEWEST 5000                   // grains of a scene that names no radius
#define CHOSEN_SAMPLES 200000         // of a shape, for its volume
#define MASS_SAMPLES 200000           // the same, for its mass
#define PITCH_SAMPLES 30000           // the same, for the size of its grains
#define PITCH_ROUNDS 6
#define INITIAL_BONDS 8  // of a grain of packed snow, in mean

// [-]: radius of snow that starts at the material's density, in that of fresh snow.
static double start_share(const firn_grains_def* d, double density)
{
    const double ice = cbrt(d->density / d->ice_density);
    const double share = cbrt(d->density / fmax(density, d->density));
    return fmax(share, ice);
}

double firn_grains_start_radius(const firn_scene_data* scene, firn_local material)
{
    const firn_grains_def* d = scene->solver_def;
    const double density = (double)scene->materials[material].snow.density;
    return firn_grains_radius(scene) * start_share(d, density);
}

// Of a snow body, in mean.
static double nominal_share(const firn_scene_data* scene, const firn_snow* snow)
{
    const firn_grains_def* d = scene->solver_def;
    return start_share(d, (double)scene->materials[snow->material].snow.density);
}

double firn_grains_pitch(const firn_scene_data* scene, const firn_snow* snow)
{
    const firn_grains_def* d = scene->solver_def;
    double share = nominal_share(scene, snow);
    if (d->mass != FIRN_GRAINS_MASS_BULK || snow->shape < 0) return share;
    const double r = firn_grains_radius(scene);
    const double volume = firn_shape_volume(&scene->shapes, snow->shape, PITCH_SAMPLES);
    if (!(volume > 0) || !isfinite(volume)) return share;
    // Centres keep away from the surface, by about a radius: grains must be so much smaller that
    // those inside have the mass of the whole volume. V_in hardly depends on the share.
    const double density = firn_snow_density(scene, snow, 2 * r);
    for (int round = 0; round < PITCH_ROUNDS; round++) {
        const double depth = FIRN_PACKING_INSIDE * r * share * snow->loose;
        const double inside =
            firn_shape_volume_below(&scene->shapes, snow->shape, depth, PITCH_SAMPLES);
        if (!(inside > 0)) break;
        share = start_share(d, density * volume / inside);
    }
    return share;
}

double firn_grains_radius(const firn_scene_data* scene)
{
    const firn_grains_def* d = scene->solver_def;
    if (d->radius > 0) return d->radius;
    double room = 0;  // [m^3] of snow, each in cubes of its own grains
    for (firn_local k = 0; k < scene->snow_count; k++) {
        const firn_snow* snow = &scene->snow[k];
        if (snow->shape < 0 || snow->material >= scene->material_count) continue;
        const double volume = firn_shape_volume(&scene->shapes, snow->shape, CHOSEN_SAMPLES);
        room += volume / pow(nominal_share(scene, snow) * snow->loose, 3);
    }
    const double r = room > 0 && isfinite(room) ? 0.5 * cbrt(room / FEWEST) : TABLE_RADIUS;
    if (r >= TABLE_RADIUS) return TABLE_RADIUS;
    // two digits, so that a radius that is printed can be given
    const double unit = pow(10, floor(log10(r)) - 1);
    return round(r / unit) * unit;
}

// m in units of the paper's, rho_s r_s^3 (erratum 26). Packed grains of mass: bulk have the bulk
// density of the scene. All forces of table 2 are multiplied by it: accelerations stay.
static double mass_factor(const firn_grains_def* d)
{
    return d->mass == FIRN_GRAINS_MASS_BULK ? 8 / FIRN_PACKING_DENSITY : 1;
}

static double mass_of(const firn_grains_def* d, double radius)
{
    return mass_factor(d) * d->density * radius * radius * radius;
}

double firn_grains_snow_mass(const firn_scene_data* scene, const firn_snow* snow)
{
    const firn_grains_def* d = scene->solver_def;
    if (snow->shape < 0) return 0;
    const double r = firn_grains_radius(scene);
    const double apart = r * firn_grains_pitch(scene, snow) * snow->loose;
    const double inside = firn_shape_volume_below(&scene->shapes, snow->shape,
                                                  FIRN_PACKING_INSIDE * apart, MASS_SAMPLES);
    if (!isfinite(inside)) return 0;
    return mass_of(d, r) * FIRN_PACKING_DENSITY * inside / pow(2 * apart, 3);
}

double firn_grains_dt(const firn_scene_data* scene)
{
    const firn_grains_def* d = scene->solver_def;
    if (d->dt > 0) return d->dt;
    const double r = firn_grains_radius(scene), m = mass_of(d, r);
    const double r_ice = r * cbrt(d->density / d->ice_density);
    const double r_water = r * cbrt(d->density / d->water_density);
    const double stiff = firn_grains_stiffening(scene);
    const double solid = stiff * fmax(d->young_snow * r, d->young_ice * r_ice);
    const double k = mass_factor(d) * fmax(solid, d->young_water * r_water);
    return TABLE_DT * sqrt(m / k / TABLE_PERIOD2);
}

static void set_by_phase(firn_real out[3], double snow, double ice, double water)
{
    out[FIRN_SNOW] = (firn_real)snow;
    out[FIRN_ICE] = (firn_real)ice;
    out[FIRN_WATER] = (firn_real)water;
}

static void set_heat(const firn_grains_def* d, double H, firn_grain_constants* c)
{
    set_by_phase(c->heat_capacity, d->capacity_snow, d->capacity_ice, d->capacity_water);
    set_by_phase(c->conductivity, d->conductivity_snow, d->conductivity_ice, d->conductivity_water);
    set_by_phase(c->transfer, d->conductivity_snow, d->conductivity_ice, d->conductivity_water);
    c->latent = (firn_real)d->latent_heat;
    c->heat_speed = (firn_real)d->heat_speed;
    if (d->conduction == FIRN_GRAINS_CONDUCTION_PAPER)
        c->conduction = (firn_real)(15 / (2 * 3.14159265358979324 * pow(H, 5)));  // erratum 36
}

// Pull that a bond of the initial snow bears, times r^5 [N m^5]. Tensile strength of dry snow is
// 79.7 kPa (rho/917)^2.39 (Jamieson and Johnston 1990); 7/3 for 2.39, exact at 300 kg/m^3, is
// within 6 % from 100 to 800. By Rumpf (1970; cited from memory, not checked) a packing of spheres
// of diameter d, of which each has Z bonds that bear F, has the strength phi Z F/(pi d^2). The
// share phi is that of packed grains.
static double tensile_of(const firn_grains_def* d, double radius)
{
    const double pi = 3.14159265358979324, rho = 300;
    const double phi = FIRN_PACKING_DENSITY * pi / 6, r = radius * cbrt(d->density / rho);
    const double sigma = 79.7e3 * pow(rho / 917, 2.39) * mass_factor(d) * FIRN_PACKING_DENSITY / 8;
    const double force = sigma * pi * 4 * r * r / (phi * INITIAL_BONDS);
    return d->tensile * force * pow(r, 5);
}

firn_grain_constants firn_grains_constants(const firn_scene_data* scene, double dt)
{
    const firn_grains_def* d = scene->solver_def;
    const double r = firn_grains_radius(scene), m = mass_of(d, r), scale = r / TABLE_RADIUS;
    const double stiff = firn_grains_stiffening(scene);
    const double gap_snow = 4 * d->strength_snow * r / (stiff * d->young_snow);
    const double r_ice = r * cbrt(d->density / d->ice_density);
    const double gap_ice = 4 * d->strength_ice * r_ice / (stiff * d->young_ice);
    const double gap = fmin(fmax(gap_snow, gap_ice), r);
    // Bonds of the initial snow are up to 2 (1.15 - 1) r longer than the radii, and act across a
    // gap besides; no farther than r/2, so that lists stay short.
    double reach = d->solid ? fmax(gap, fmin(0.3 * r + gap, 0.5 * r)) : gap;
    const double H = 2 * r + reach;  // of eq. 8
    if (d->conduction == FIRN_GRAINS_CONDUCTION_PACKED &&
        (firn_scene_heats(scene) || d->heat_speed != 1))  // lists reach as far as heat does
        reach = fmax(reach, 2 * (FIRN_GRAIN_HEAT_REACH - 1) * r);
    const double q = mass_factor(d);
    firn_grain_constants c = {
        .mass = (firn_real)m,
        .mass_paper = (firn_real)(d->density * r * r * r),
        .r_snow = (firn_real)r,
        .r_ice = (firn_real)r_ice,
        .r_water = (firn_real)(r * cbrt(d->density / d->water_density)),
        .young_snow = (firn_real)(q * stiff * d->young_snow),
        .young_ice = (firn_real)(q * stiff * d->young_ice),
        .young_water = (firn_real)(q * d->young_water),
        .strength_snow = (firn_real)(q * d->strength_snow),
        .strength_ice = (firn_real)(q * d->strength_ice),
        .friction = (firn_real)tan(d->repose * 3.14159265358979324 / 180),
        .damping = (firn_real)d->damping,
        .damping_most = (firn_real)(FIRN_GRAINS_DAMPING_MOST * m / dt),
        .shear = (firn_real)FIRN_GRAINS_SHEAR,
        .shear_damping = (firn_real)FIRN_GRAINS_SHEAR_DAMPING,
        .roll = FIRN_GRAINS_ROLL,
        .roll_damping = (firn_real)FIRN_GRAINS_ROLL_DAMPING,
        .inertia = FIRN_GRAINS_INERTIA,
        .adhesion = (firn_real)(d->spins ? 1 : 0),
        .memory = (firn_real)(d->spins && d->stick_speed > 0 ? FIRN_GRAINS_MEMORY : 0),
        .rolling = (firn_real)d->rolling,
        .lever = (firn_real)(d->spins ? 1 : 0),
        .stick_speed = (firn_real)d->stick_speed,
        .tension = (firn_real)(q * d->tension * pow(scale, 4)),
        .reach = (firn_real)reach,
        .bonds = d->bonds,
        .solid = d->solid,
        .tensile = (firn_real)tensile_of(d, r),
        .broken_below = (firn_real)d->broken_below,
        .force_min = (firn_real)(q * d->force_min * pow(scale, 3)),
        .force_max = (firn_real)(q * d->force_max * scale * scale),
        .durability_loss = (firn_real)(d->durability_loss / q),  // pressures are higher
        .durability_time = (firn_real)TABLE_DT};
    c.per_span = 1 / (c.r_snow - c.r_ice);
    c.air_transfer = (firn_real)scene->air.heat_transfer;
    set_heat(d, H, &c);
    return c;
}
