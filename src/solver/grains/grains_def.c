// SPDX-License-Identifier: MIT
// The `grains` block of a scene: its keys, defaults and checks, and the constants that they make.
#include <math.h>

#include "geometry/collider/collider.h"
#include "geometry/sampling/packing.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/parse/diagnostics.h"
#include "scene/parse/keys.h"
#include "scene/run/snow_mass.h"
#include "solver/grains/support/grains_solver.h"

static const char* const masses[] = {"bulk", "paper", NULL};
static const char* const conductions[] = {"packed", "paper", NULL};
static const char* const bonds[] = {"tracked", "forever", "always", NULL};

#define AT(field) offsetof(firn_grains_def, field)
// clang-format off
static const firn_key keys[] = {
    // name, type, offset, unit, low, high, default, choices, block, help
    {"radius", FIRN_KEY_REAL, AT(radius), "m", 0, 1e3, "0", NULL, NULL,
     "Radius r_s of a grain of fresh snow; denser snow has smaller ones of the same mass. 0: table "
     "2's 0.05 m, or less, so that the scene's snow makes at least 5000 grains."},
    {"dt", FIRN_KEY_REAL, AT(dt), "s", 0, 1, "0", NULL, NULL,
     "Time step (shortened a little to meet frame times); 0: 1 ms for the springs of table 2, "
     "longer or shorter with the period of the stiffest."},
    {"mass", FIRN_KEY_ENUM, AT(mass), NULL, 1, 0, "bulk", masses, NULL,
     "bulk: a snow body weighs its material's density times its volume, as in the other solvers; "
     "forces of table 2 grow with the mass, so that snow moves the same. paper: m = rho r^3, about "
     "an eighth of that, for figures of the paper."},
    {"density", FIRN_KEY_REAL, AT(density), "kg/m^3", 1, 900, "100", NULL, NULL,
     "Bulk density of fresh snow, the lowest that grains can have. Snow starts at its material's "
     "density, between this and that of ice."},
    {"ice_density", FIRN_KEY_REAL, AT(ice_density), "kg/m^3", 2, 1000, "800", NULL, NULL,
     "Of a grain that has lost all air: 800 makes its radius half that of fresh snow."},
    {"water_density", FIRN_KEY_REAL, AT(water_density), "kg/m^3", 2, 2000, "1000", NULL, NULL,
     "Of a molten grain."},
    {"young_snow", FIRN_KEY_REAL, AT(young_snow), "Pa", 1, 1e12, "5000", NULL, NULL,
     "Young's modulus of fresh snow: the spring between two grains is E r, with mass: bulk 6.5 "
     "times that."},
    {"young_ice", FIRN_KEY_REAL, AT(young_ice), "Pa", 1, 1e12, "35000", NULL, NULL,
     "Young's modulus of ice; that of snow lies between the two."},
    {"young_water", FIRN_KEY_REAL, AT(young_water), "Pa", 1, 1e12, "35000", NULL, NULL,
     "How stiffly water grains repel each other; not in the paper, whose water is not described."},
    {"impact_speed", FIRN_KEY_REAL, AT(impact_speed), "m/s", 0, 1e4, "0", NULL, NULL,
     "With solid: true, Young's moduli are raised until impacts of this speed are slower than a "
     "fifth of the speed of sound; steps shorten with them. 0: the fastest snow body, by its "
     "velocity and its fall on a collider. A small value: moduli as given."},
    {"strength_snow", FIRN_KEY_REAL, AT(strength_snow), "Pa", 0, 1e12, "625", NULL, NULL,
     "Cohesive strength sigma_n of fresh snow: a bond bears 4 sigma r^2, with mass: bulk 6.5 times "
     "that."},
    {"strength_ice", FIRN_KEY_REAL, AT(strength_ice), "Pa", 0, 1e12, "3750", NULL, NULL,
     "Cohesive strength of ice."},
    {"tensile", FIRN_KEY_REAL, AT(tensile), "-", 0, 1e6, "1", NULL, NULL,
     "With solid: true, strength of the bonds of the initial snow, as a multiple of the tensile "
     "strength that Jamieson and Johnston (1990) measured in dry snow of its density."},
    {"repose", FIRN_KEY_REAL, AT(repose), "degrees", 0, 80, "38", NULL, NULL,
     "Friction angle phi of snow on snow."},
    {"spins", FIRN_KEY_BOOL, AT(spins), NULL, 0, 1, "true", NULL, NULL,
     "Grains rotate: friction acts where they touch and conserves angular momentum. false: it acts "
     "at their centres and brakes rotation, as in the paper."},
    {"rolling", FIRN_KEY_REAL, AT(rolling), "-", 0, 10, "1", NULL, NULL,
     "Resistance to rolling: the largest moment at a contact, over normal force times radius. "
     "Higher for steeper heaps."},
    {"solid", FIRN_KEY_BOOL, AT(solid), NULL, 0, 1, "true", NULL, NULL,
     "Initial snow is in equilibrium: its bonds keep their lengths until they break, so that it "
     "falls, slides and rests as one piece. false: bonds draw grains into contact, as in the "
     "paper."},
    {"damping", FIRN_KEY_REAL, AT(damping), "-", 0, 1, "0.5", NULL, NULL,
     "Of the springs, as a share of the critical; not in the paper. Limited where the step would "
     "not bear it."},
    {"stick_speed", FIRN_KEY_REAL, AT(stick_speed), "m/s", 0, 100, "0.05", NULL, NULL,
     "Grains that are slower remember where they came to rest, so that friction holds a heap; 0: "
     "friction by velocity alone, and heaps creep."},
    {"tension", FIRN_KEY_REAL, AT(tension), "N m", 0, 1e3, "0.00012", NULL, NULL,
     "Interfacial tension of water with water, snow and ice, for grains of 0.05 m; with the fourth "
     "power of the radius for others."},
    {"force_min", FIRN_KEY_REAL, AT(force_min), "N", 0, 1e9, "0.12275", NULL, NULL,
     "Force that fresh snow withstands before it is compressed, for grains of 0.05 m: about their "
     "weight; with the third power of the radius for others."},
    {"force_max", FIRN_KEY_REAL, AT(force_max), "N", 0, 1e12, "10000", NULL, NULL,
     "The same at 900 kg/m^3, for grains of 0.05 m; with the square of the radius for others."},
    {"durability_loss", FIRN_KEY_REAL, AT(durability_loss), "1/Pa", 0, 1, "0.000005", NULL, NULL,
     "Coefficient k_q: share of the air in fresh snow that a pressure of 1 Pa drives out in 1 ms."},
    {"bonds", FIRN_KEY_ENUM, AT(bonds), NULL, 1, 0, "tracked", bonds, NULL,
     "Bonds of a grain are broken while it has lost neighbours; or from then on for ever; or never "
     "(figure 3, left)."},
    {"broken_below", FIRN_KEY_REAL, AT(broken_below), "-", 0, 1, "0.75", NULL, NULL,
     "Share of the most neighbours a grain ever had below which its bonds are broken."},
    {"capacity_snow", FIRN_KEY_REAL, AT(capacity_snow), "J/kg/K", 1, 1e6, "2090", NULL, NULL,
     "Specific heat of snow."},
    {"capacity_ice", FIRN_KEY_REAL, AT(capacity_ice), "J/kg/K", 1, 1e6, "2050", NULL, NULL,
     "Specific heat of ice."},
    {"capacity_water", FIRN_KEY_REAL, AT(capacity_water), "J/kg/K", 1, 1e6, "4186", NULL, NULL,
     "Specific heat of water."},
    {"conductivity_snow", FIRN_KEY_REAL, AT(conductivity_snow), "W/m/K", 0, 1e4, "0.1", NULL, NULL,
     "Conductivity of packed snow. With conduction: paper, a factor between grains; the same "
     "number, in W/m^2/K, goes through the surface to air and ground."},
    {"conductivity_ice", FIRN_KEY_REAL, AT(conductivity_ice), "W/m/K", 0, 1e4, "0.7", NULL, NULL,
     "The same of ice."},
    {"conductivity_water", FIRN_KEY_REAL, AT(conductivity_water), "W/m/K", 0, 1e4, "0.602", NULL,
     NULL, "The same of water."},
    {"conduction", FIRN_KEY_ENUM, AT(conduction), NULL, 1, 0, "packed", conductions, NULL,
     "packed: snow has the conductivities above, and exchanges heat with air and colliders by "
     "their heat_transfer. paper: the sums of eq. 8 and 10, which conduct one to two orders less."},
    {"latent_heat", FIRN_KEY_REAL, AT(latent_heat), "J/kg", 1, 1e9, "334000", NULL, NULL,
     "Of melting."},
    {"heat_speed", FIRN_KEY_REAL, AT(heat_speed), "-", 0, 1e9, "1", NULL, NULL,
     "Factor S_f on all flow of heat: 10000 melts in half a minute what takes three days."},
};
// clang-format on

static void set_defaults(void* at)
{
    *(firn_grains_def*)at = (firn_grains_def){.mass = FIRN_GRAINS_MASS_BULK,
                                              .density = 100,
                                              .ice_density = 800,
                                              .water_density = 1000,
                                              .young_snow = 5000,
                                              .young_ice = 35000,
                                              .young_water = 35000,
                                              .strength_snow = 625,
                                              .strength_ice = 3750,
                                              .tensile = 1,
                                              .repose = 38,
                                              .spins = true,
                                              .rolling = 1,
                                              .solid = true,
                                              .damping = 0.5,
                                              .stick_speed = 0.05,
                                              .tension = 0.00012,
                                              .force_min = 0.12275,
                                              .force_max = 1e4,
                                              .durability_loss = 5e-6,
                                              .bonds = FIRN_BONDS_TRACKED,
                                              .broken_below = 0.75,
                                              .capacity_snow = 2090,
                                              .capacity_ice = 2050,
                                              .capacity_water = 4186,
                                              .conductivity_snow = 0.1,
                                              .conductivity_ice = 0.7,
                                              .conductivity_water = 0.602,
                                              .conduction = FIRN_GRAINS_CONDUCTION_PACKED,
                                              .latent_heat = 334000,
                                              .heat_speed = 1};
}

const firn_key_block firn_grains_keys = {
    .name = "grains",
    .help = "Grains with bonds, compression and heat, in real time (Goswami et al. 2019).",
    .keys = keys,
    .key_count = sizeof keys / sizeof *keys,
    .size = sizeof(firn_grains_def),
    .set_defaults = set_defaults,
};

#define CROWD_SAFE \
    0.6  // mean number of neighbours, of what lists hold: some have half as many more
double firn_grains_crowd(const firn_grain_constants* c, bool may_heat)
{
    const firn_real radii[2] = {c->r_snow, c->r_ice};
    double most = 0;
    for (int k = 0; k < 2; k++) {
        const double r = (double)radii[k];
        const double gap = (double)(may_heat ? c->reach : firn_grain_gap(c, radii[k], FIRN_SNOW));
        const double reach = 2 * r + gap + FIRN_GRAINS_SKIN * (double)c->r_snow;
        const double sphere = 4.18879020478639098 * pow(reach / (2 * r), 3);  // [(2 r)^3]
        most = fmax(most, FIRN_PACKING_DENSITY * sphere);
    }
    return most;
}

static void check_crowd(const firn_scene_data* scene, double dt, firn_diagnostics* diagnostics)
{
    const firn_grain_constants c = firn_grains_constants(scene, dt);
    const firn_grains_def* d = scene->solver_def;
    const bool may_heat = firn_scene_heats(scene) || d->heat_speed != 1;
    const double crowd = firn_grains_crowd(&c, may_heat);
    if (crowd < CROWD_SAFE * FIRN_GRAINS_LIST_MOST) return;
    firn_diagnose_key(diagnostics, false, scene, "grains",
                      "bonds reach so far that a grain may have about %.0f neighbours, and lists "
                      "hold %d: use lower strengths, higher Young's moduli or a lower ice_density",
                      crowd, FIRN_GRAINS_LIST_MOST);
}

#define CROWD_HEAT 14  // neighbours that touch, at the most

// [W/m^2/K] at the most through the surface of a grain, to air and collider together.
static double surface_transfer(const firn_scene_data* scene, const firn_grain_constants* c,
                               firn_real k)
{
    const firn_real r = c->r_snow, wall_depth = (firn_real)(1 - FIRN_GRAIN_WALL_DEPTH) * r;
    firn_real most = 0;
    for (firn_local b = 0; b < scene->collider_count; b++)
        most =
            firn_max(most, firn_heat_transfer_to(scene->colliders[b].heat_transfer, k, wall_depth));
    return (double)(most +
                    firn_heat_transfer_to(c->air_transfer, k, (firn_real)FIRN_GRAIN_AIR_DEPTH * r));
}

// Share of a temperature difference that a step may level, at the worst: above 1 it would
// overshoot.
static double heat_share(const firn_scene_data* scene)
{
    const double dt = firn_grains_dt(scene);
    const firn_grain_constants c = firn_grains_constants(scene, dt);
    double k = 0, capacity = INFINITY;
    for (int p = 0; p < 3; p++) {
        k = fmax(k, (double)c.conductivity[p]);
        capacity = fmin(capacity, (double)c.heat_capacity[p]);
    }
    const double r = (double)c.r_snow, V = r * r * r, area = 12.566 * r * r;
    double power = k * ((12 * V * V) * (double)c.conduction + area);
    if (!(c.conduction > 0)) {
        const double pair = FIRN_GRAIN_CONDUCTANCE * 2 * r;
        power = CROWD_HEAT * k * pair + area * surface_transfer(scene, &c, (firn_real)k);
    }
    return power * (double)c.heat_speed * dt / ((double)c.mass * capacity);
}

// [m/s] at which a push goes through grains that start with this material.
static double sound(const firn_scene_data* scene, firn_local material)
{
    const firn_grain_constants c = firn_grains_constants(scene, firn_grains_dt(scene));
    const firn_real r = (firn_real)firn_grains_start_radius(scene, material);
    return 2 * (double)r * sqrt((double)(firn_grain_stiffness(&c, r, FIRN_SNOW) / c.mass));
}

#define MASS_OFF 0.02  // share of a body's mass that may be missing without a warning
#define FAST 0.3       // of sound: snow is then compressed by a third before the push is through

// Table 2's springs are soft, so that steps may be long: what hits fast bounces apart.
static void check_speed(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    for (firn_local k = 0; k < scene->snow_count; k++) {
        const double* v = scene->snow[k].velocity;
        const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        if (scene->snow[k].material >= scene->material_count || !(speed > 0)) continue;
        const double c = sound(scene, scene->snow[k].material);
        if (speed < FAST * c) continue;
        firn_diagnose_key(diagnostics, false, scene, "grains.young_snow",
                          "snow.%d moves at %.3g m/s, but the springs of these grains carry a push "
                          "at %.3g m/s only: what it hits, it will bounce off in pieces. Use a "
                          "larger grains.young_snow and young_ice, or solver mpm",
                          (int)k, speed, c);
        return;
    }
}

// Grains are between fresh snow and ice: other densities, and sheets thinner than grains, have
// another mass than the scene says.
static void check_mass(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const firn_grains_def* d = scene->solver_def;
    for (firn_local k = 0; k < scene->snow_count; k++) {
        const firn_snow* snow = &scene->snow[k];
        if (snow->material >= scene->material_count || d->mass != FIRN_GRAINS_MASS_BULK) continue;
        const double want = firn_snow_mass(scene, snow, 2 * firn_grains_radius(scene));
        const double have = firn_grains_snow_mass(scene, snow);
        if (!(have > 0) || !(fabs(have - want) > MASS_OFF * want)) continue;
        firn_diagnose_key(diagnostics, false, scene, "grains.density",
                          "snow.%d weighs %.3g kg with grains instead of %.3g kg: grains have "
                          "densities from grains.density = %g to ice_density = %g kg/m^3. Change "
                          "these, or use smaller grains if the shape is thin",
                          (int)k, have, want, d->density, d->ice_density);
    }
}

// Snow above 0 degC is wet: the heat of its temperature has melted a part of it.
static void check_warmth(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const firn_grains_def* d = scene->solver_def;
    const double capacity = fmin(d->capacity_snow, d->capacity_ice);
    for (firn_local k = 0; k < scene->snow_count; k++)
        if (scene->snow[k].temperature * capacity >= d->latent_heat)
            firn_diagnose_key(diagnostics, false, scene, "snow",
                              "snow.%d: the heat of %g degC melts all of it: it begins as water",
                              (int)k, scene->snow[k].temperature);
}

void firn_grains_check(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const firn_grains_def* d = scene->solver_def;
    if (!(d->density < d->ice_density))
        firn_diagnose_key(
            diagnostics, true, scene, "grains.ice_density",
            "grains.ice_density = %g kg/m^3 must be above grains.density = %g: snow is "
            "compressed from one to the other",
            d->ice_density, d->density);
    firn_grains_def usual = *d;
    usual.dt = 0;
    firn_scene_data as_usual = *scene;
    as_usual.solver_def = &usual;
    const double dt = firn_grains_dt(&as_usual);
    if (d->dt > 1.5 * dt)
        firn_diagnose_key(
            diagnostics, false, scene, "grains.dt",
            "grains.dt = %g s is long for these springs: beyond about %.2g s snow flies "
            "apart",
            d->dt, 1.5 * dt);
    check_speed(scene, diagnostics);
    check_crowd(scene, dt, diagnostics);
    check_warmth(scene, diagnostics);
    check_mass(scene, diagnostics);
    const double share = heat_share(scene);
    if (share > 1)
        firn_diagnose_key(
            diagnostics, true, scene, "grains.heat_speed",
            "grains.heat_speed = %g lets heat flow further than a step can follow: use "
            "at most %.2g, a shorter grains.dt, or lower values of heat_transfer",
            d->heat_speed, d->heat_speed / share);
    for (firn_local k = 0; k < scene->snow_count; k++)
        for (int q = 0; q < FIRN_VARY_COUNT; q++)
            if (firn_vary_changes(&scene->snow[k].vary, q)) {
                firn_diagnose_key(
                    diagnostics, false, scene, "snow",
                    "snow.%d: with solver grains 'vary' changes the mean density of a "
                    "snow body and nothing else",
                    (int)k);
                return;
            }
}

firn_solver_estimate firn_grains_estimate(const firn_scene_data* scene)
{
    return (firn_solver_estimate){.cell = 2 * firn_grains_radius(scene),
                                  .bytes_per_particle = 760,
                                  .device_bytes_per_particle = 672,
                                  .host_bytes_per_particle = 160,
                                  .dt = firn_grains_dt(scene),
                                  .seconds_per_particle_step = 1e-7};
}
