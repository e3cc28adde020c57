// SPDX-License-Identifier: MIT
// Block `materials`: named materials, each a preset with changed values.
// Longer than 400 lines because it is the one table of all constants of a material.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "scene/data/measured.h"
#include "scene/data/presets.h"
#include "scene/data/scene.h"
#include "scene/data/scene_items.h"
#include "scene/data/snow.h"
#include "scene/keys/blocks.h"
#include "scene/keys/look_keys.h"
#include "scene/parse/reader.h"

#define FIRN_FLUID_VISCOSITY 10  // [Pa s] of phase viscous, about that of honey

typedef struct young_item {
    double temperature, young;  // [degC], [Pa]
} young_item;

typedef struct measured_item {
    double density, temperature;  // [kg/m^3], NaN: no measured snow; [degC]
    int32_t grains;               // firn_grain_form
} measured_item;

typedef struct cam_clay_item {  // NaN: value of the preset
    double friction, cohesion, consolidation, hardening, collapse;
} cam_clay_item;

typedef struct becomes_item {
    char* material;                    // null: stays what it is
    double after, below, above, over;  // [s], [degC] twice, [s]
} becomes_item;

typedef struct material_item {
    char* preset;
    int32_t phase;  // firn_material_phase
    bool no_slip;
    becomes_item becomes;
    firn_look_item look;
    measured_item measured;
    cam_clay_item cam_clay;
    double density, young, poisson, hardening;  // NaN: value of the preset
    double critical_compression, critical_stretch, hardening_max, fracture_energy;
    double viscosity, viscosity_growth, sintering, sintering_time;
    double conductivity, heat_capacity;
    double surface_tension;  // 0: none
    // FIRN_KEY_ROWS: a count, followed by an array of the maximum size.
    int32_t young_count;
    young_item young_at[FIRN_YOUNG_AT_MAX];
    int32_t key_count;
    firn_material_key keys[FIRN_MATERIAL_KEYS_MAX];
} material_item;
_Static_assert(FIRN_ROWS_FIT(material_item, young_count, young_at), "rows");
_Static_assert(FIRN_ROWS_FIT(material_item, key_count, keys), "rows");

static void set_defaults(void* at)
{
    *(material_item*)at = (material_item){.no_slip = true,
                                          .becomes = {NULL, INFINITY, NAN, NAN, 0.1},
                                          .look = FIRN_LOOK_ITEM,
                                          .measured = {NAN, -5, FIRN_GRAINS_ROUNDED},
                                          .cam_clay = {NAN, NAN, NAN, NAN, NAN},
                                          .density = NAN,
                                          .young = NAN,
                                          .poisson = NAN,
                                          .hardening = NAN,
                                          .critical_compression = NAN,
                                          .critical_stretch = NAN,
                                          .hardening_max = NAN,
                                          .fracture_energy = NAN,
                                          .viscosity = NAN,
                                          .viscosity_growth = NAN,
                                          .sintering = NAN,
                                          .sintering_time = NAN,
                                          .conductivity = NAN,
                                          .heat_capacity = NAN};
}

// The preset, or what takes its place: snow of a measured density.
static void start_from_measured(firn_snow_material* snow, const measured_item* m)
{
    if (isnan(m->density)) return;
    const firn_measured_snow given = {m->density, m->temperature, (firn_grain_form)m->grains};
    *snow = firn_measured_material(&given);
}

static void finish_young(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                         bool valid)
{
    const young_item* row = item;
    const firn_rows* rows = at;
    if (!valid || rows->count == 0) return;
    const young_item* before = (const young_item*)firn_rows_items(rows) + rows->count - 1;
    if (!(row->temperature > before->temperature))
        firn_doc_error(
            r->doc, node,
            "the rows of 'young_at' must be in order of temperature: %g degC does not come after "
            "%g degC",
            row->temperature, before->temperature);
}

static void change(firn_real* field, double value)
{
    if (!isnan(value)) *field = (firn_real)value;
}

// Any key of the block gives the material this law.
static bool change_cam_clay(firn_scene_reader* r, const firn_doc_node* node,
                            const cam_clay_item* given, firn_cam_clay* clay)
{
    if (isnan(given->friction) && isnan(given->cohesion) && isnan(given->consolidation) &&
        isnan(given->hardening) && isnan(given->collapse))
        return true;
    if (!(clay->friction > 0)) *clay = (firn_cam_clay){(firn_real)1.2, (firn_real)0.3, 0, 1, 0};
    change(&clay->friction, given->friction);
    change(&clay->cohesion, given->cohesion);
    change(&clay->consolidation, given->consolidation);
    change(&clay->hardening, given->hardening);
    change(&clay->collapse, given->collapse);
    if (clay->consolidation > 0) return true;
    firn_doc_error(r->doc, firn_doc_find(node, "cam_clay"),
                   "'cam_clay' needs 'consolidation', the pressure at which this snow yields");
    *clay = (firn_cam_clay){0};
    return false;
}

// A fluid does not start from a kind of snow.
static void start_from_fluid(firn_snow_material* snow, firn_material_phase phase)
{
    if (phase == FIRN_PHASE_SNOW) return;
    firn_preset_of_fluid(snow, phase);
    snow->density = 1000;
    snow->viscosity = phase == FIRN_PHASE_VISCOUS ? FIRN_FLUID_VISCOSITY : 0;
}

// The number of material `name`, which may follow in the file: all materials of the map are added,
// in their order. -1: there is none; -2: `node` is not part of the scene that is read.
static firn_local number_of_material(const firn_scene_reader* r, const firn_doc_node* node,
                                     const char* name)
{
    const firn_doc_node* map = firn_doc_find(r->doc->root, "materials");
    firn_local number = 0, found = -1;
    bool mine = false;
    for (const firn_doc_node* m = map != NULL ? map->first : NULL; m != NULL; m = m->next) {
        mine |= m == node;
        if (m->key != NULL && strcmp(m->key, name) == 0) found = number;
        number++;
    }
    return mine ? found : -2;
}

static void change_becomes(firn_scene_reader* r, const firn_doc_node* node,
                           const becomes_item* given, firn_becomes* becomes)
{
    const firn_doc_node* at = firn_doc_find(node, "becomes");
    if (at == NULL || given->material == NULL) return;
    const firn_local number = number_of_material(r, node, given->material);
    if (number == -1)
        firn_doc_error(r->doc, firn_doc_find(at, "material"),
                       "no material of this scene is called '%.60s'", given->material);
    if (number < 0) return;
    if (number == r->scene->material_count - 1) {
        firn_doc_error(r->doc, firn_doc_find(at, "material"),
                       "a material cannot become itself: name another one");
        return;
    }
    *becomes = (firn_becomes){true, number, given->after, given->below, given->above, given->over};
}

static void change_constants(firn_snow_material* snow, const material_item* m)
{
    change(&snow->density, m->density);
    change(&snow->young, m->young);
    change(&snow->poisson, m->poisson);
    change(&snow->hardening, m->hardening);
    change(&snow->critical_compression, m->critical_compression);
    change(&snow->critical_stretch, m->critical_stretch);
    change(&snow->hardening_max, m->hardening_max);
    change(&snow->fracture_energy, m->fracture_energy);
    change(&snow->viscosity, m->viscosity);
    change(&snow->viscosity_growth, m->viscosity_growth);
    change(&snow->sintering, m->sintering);
    change(&snow->sintering_time, m->sintering_time);
    change(&snow->conductivity, m->conductivity);
    change(&snow->heat_capacity, m->heat_capacity);
}

bool firn_scene_add_preset(firn_scene_reader* r, const firn_preset* preset, const char* name)
{
    firn_scene_data* scene = r->scene;
    char* copy = firn_strdup(name);
    char* preset_name = firn_strdup(preset->name);
    if (copy == NULL || preset_name == NULL ||
        !firn_reserve((void**)&scene->materials, &scene->material_capacity,
                      scene->material_count + 1, sizeof *scene->materials)) {
        firn_free(copy);
        firn_free(preset_name);
        r->out_of_memory = true;
        return false;
    }
    scene->materials[scene->material_count++] =
        (firn_material){.name = copy, .preset = preset_name, .snow = preset->snow};
    return true;
}

static const firn_preset* find_preset(firn_scene_reader* r, const firn_doc_node* node,
                                      const char* name)
{
    const firn_preset* preset = firn_preset_find(name);
    if (preset != NULL) return preset;
    const char* names[64];
    size_t count = 0;
    for (size_t i = 0; i < firn_preset_count && count < 64; i++)
        names[count++] = firn_presets[i].name;
    char hint[100];
    firn_hint(name, names, count, hint, sizeof hint);
    firn_doc_error(r->doc, firn_doc_find(node, "preset"),
                   "unknown preset '%.60s'%s; `firn presets` lists them", name, hint);
    return NULL;
}

static void finish(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                   bool valid)
{
    (void)at;
    const material_item* m = item;
    const firn_preset* preset =
        m->preset != NULL ? find_preset(r, node, m->preset) : &firn_presets[0];
    if (preset == NULL) valid = false;
    if (m->preset != NULL && !isnan(m->measured.density)) {
        firn_doc_error(r->doc, firn_doc_find(node, "measured"),
                       "a material starts from 'preset' or from 'measured', not from both");
        valid = false;
    }
    if (m->phase != FIRN_PHASE_SNOW && (m->preset != NULL || !isnan(m->measured.density))) {
        firn_doc_error(r->doc, firn_doc_find(node, "phase"),
                       "a fluid does not start from a kind of snow: remove '%s'",
                       m->preset != NULL ? "preset" : "measured");
        valid = false;
    }
    if (m->phase == FIRN_PHASE_SNOW && m->surface_tension > 0) {
        firn_doc_error(r->doc, firn_doc_find(node, "surface_tension"),
                       "only fluids have a surface tension: snow holds together by its strength "
                       "(young, critical_stretch); remove 'surface_tension', or make it a fluid by "
                       "'phase'");
        valid = false;
    }
    if (r->scene->material_count >= FIRN_MATERIALS_MAX) {
        firn_doc_key_error(r->doc, node, "more than %d materials", FIRN_MATERIALS_MAX);
        return;
    }
    // An invalid material is still added, so that snow that uses it is not a second error.
    if (!firn_scene_add_preset(r, preset != NULL ? preset : &firn_presets[0], node->key)) return;
    if (!valid) return;
    firn_material* material = &r->scene->materials[r->scene->material_count - 1];
    if (m->preset == NULL) {
        firn_free(material->preset);
        material->preset = NULL;
    }
    firn_snow_material* snow = &material->snow;
    start_from_measured(snow, &m->measured);
    start_from_fluid(snow, (firn_material_phase)m->phase);
    change_constants(snow, m);
    snow->slips = !m->no_slip;
    snow->surface_tension = (firn_real)m->surface_tension;
    material->look = firn_look_read(r, node, &m->look);
    change_becomes(r, node, &m->becomes, &material->becomes);
    if (!change_cam_clay(r, node, &m->cam_clay, &snow->cam_clay)) return;
    material->key_count = m->key_count;
    memcpy(material->keys, m->keys, sizeof material->keys);
    snow->young_count = m->young_count;
    for (int32_t k = 0; k < m->young_count; k++)
        snow->young_at[k] = (firn_young_row){(firn_real)m->young_at[k].temperature,
                                             (firn_real)m->young_at[k].young};
}

static void set_key_defaults(void* at)
{
    *(firn_material_key*)at = (firn_material_key){0, 1, 1, 1, 1};
}

static void finish_key(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                       bool valid)
{
    const firn_rows* rows = at;
    const firn_material_key* keys = firn_rows_items(rows);
    const int32_t n = rows->count;
    if (valid)
        firn_check_key_order(r, node, ((const firn_material_key*)item)->time, n,
                             n > 0 ? keys[n - 1].time : 0, n > 1 ? keys[n - 2].time : 0);
}

#define AT(field) offsetof(firn_material_key, field)
static const firn_key time_keys[] = {
    {"time", FIRN_KEY_REAL, AT(time), "s", -1e6, 1e6, NULL, NULL, NULL,
     "Time of the key; not earlier than the key before. Two keys at the same time are a step."},
    {"young", FIRN_KEY_REAL, AT(young), "-", 1e-6, 1e6, "1", NULL, NULL, "Factor on `young`."},
    {"hardening", FIRN_KEY_REAL, AT(hardening), "-", 0, 1e3, "1", NULL, NULL,
     "Factor on `hardening`."},
    {"critical_compression", FIRN_KEY_REAL, AT(critical_compression), "-", 0, 1e3, "1", NULL, NULL,
     "Factor on `critical_compression`."},
    {"critical_stretch", FIRN_KEY_REAL, AT(critical_stretch), "-", 0, 1e3, "1", NULL, NULL,
     "Factor on `critical_stretch`: below 1, snow tears earlier."},
};
#undef AT
const firn_key_block firn_material_key_keys = {
    "material key",
    "Factors on constants of the material at one time (solver mpm).",
    time_keys,
    FIRN_KEY_COUNT(time_keys),
    sizeof(firn_material_key),
    set_key_defaults,
    finish_key};

static const firn_key young_keys[] = {
    {"temperature", FIRN_KEY_REAL, offsetof(young_item, temperature), "degC", -273.15, 100, NULL,
     NULL, NULL, "Temperature; higher than in the row before."},
    {"young", FIRN_KEY_REAL, offsetof(young_item, young), "Pa", 1, 1e10, NULL, NULL, NULL,
     "Young's modulus at that temperature."},
};
static const firn_key_block young = {"young_at row",
                                     "Young's modulus at one temperature; a row may also be "
                                     "written as the list [temperature, young].",
                                     young_keys,
                                     FIRN_KEY_COUNT(young_keys),
                                     sizeof(young_item),
                                     NULL,
                                     finish_young};

#define AT(field) offsetof(measured_item, field)
static const char* const grain_forms[] = {"rounded", "faceted", NULL};
static const firn_key measured_keys[] = {
    {"density", FIRN_KEY_REAL, AT(density), "kg/m^3", FIRN_MEASURED_DENSITY_MIN,
     FIRN_MEASURED_DENSITY_MAX, NULL, NULL, NULL,
     "Density, from which strength, stiffness and conductivity follow."},
    {"temperature", FIRN_KEY_REAL, AT(temperature), "degC", FIRN_MEASURED_COLDEST, 0, "-5", NULL,
     NULL, "Temperature of the snow, for its heat capacity and viscosity."},
    {"grains", FIRN_KEY_ENUM, AT(grains), NULL, 0, 0, "rounded", grain_forms, NULL,
     "Form of the grains: rounded (also new snow that decomposes) or faceted, which is weaker."},
};
#undef AT
static const firn_key_block measured = {
    "measured",
    "Natural snow as measured; `firn presets --sources` has the formulas and their sources.",
    measured_keys,
    FIRN_KEY_COUNT(measured_keys),
    sizeof(measured_item),
    NULL,
    NULL};

#define AT(field) offsetof(cam_clay_item, field)
static const firn_key cam_clay_keys[] = {
    {"friction", FIRN_KEY_REAL, AT(friction), "-", 0.01, 10, "1.2", NULL, NULL,
     "Friction M: slope q/p of the critical state."},
    {"cohesion", FIRN_KEY_REAL, AT(cohesion), "-", 0, 10, "0.3", NULL, NULL,
     "Cohesion beta: strength in isotropic tension over that in compression."},
    {"consolidation", FIRN_KEY_REAL, AT(consolidation), "Pa", 1, 1e10, "as the preset", NULL, NULL,
     "Consolidation p_0: pressure at which snow at rest yields; needed unless the preset has it."},
    {"hardening", FIRN_KEY_REAL, AT(hardening), "-", 0.001, 1000, "1", NULL, NULL,
     "Hardening xi in p_0 = K sinh(xi max(-alpha, 0)): a plastic volumetric strain of about "
     "p_0 / (K xi) takes the strength away; larger is brittle."},
    {"collapse", FIRN_KEY_REAL, AT(collapse), "-", 0, 3, "0", NULL, NULL,
     "Weak layers: opening and compaction break the bonds; then the volume shrinks by "
     "exp(-collapse) without resistance. 0: compaction hardens."},
};
#undef AT
static const firn_key_block cam_clay = {
    "cam_clay",
    "Cohesive Cam-Clay plasticity (Gaume et al. 2018; solver mpm), in place of the thresholds.",
    cam_clay_keys,
    FIRN_KEY_COUNT(cam_clay_keys),
    sizeof(cam_clay_item),
    NULL,
    NULL};

#define AT(field) offsetof(becomes_item, field)
static const firn_key becomes_keys[] = {
    {"material", FIRN_KEY_TEXT, AT(material), NULL, 0, 0, NULL, NULL, NULL,
     "Name of the material of this scene that it turns into."},
    {"after", FIRN_KEY_REAL, AT(after), "s", 0, 1e9, "never", NULL, NULL,
     "Time since a particle was emitted, or since it became this material; the start of the run "
     "for what is there from the beginning."},
    {"below", FIRN_KEY_REAL, AT(below), "degC", -273.15, 1000, "none", NULL, NULL,
     "Temperature below which it turns."},
    {"above", FIRN_KEY_REAL, AT(above), "degC", -273.15, 1000, "none", NULL, NULL,
     "Temperature above which it turns."},
    {"over", FIRN_KEY_REAL, AT(over), "s", 0, 1e6, "0.1", NULL, NULL,
     "Time in which its rest density changes to that of the new material, so that no pressure "
     "appears at once."},
};
#undef AT
static const firn_key_block becomes = {"becomes",
                                       "Phase change (solver sph): after a time, below or above a "
                                       "temperature, or, without them, by heat.",
                                       becomes_keys,
                                       FIRN_KEY_COUNT(becomes_keys),
                                       sizeof(becomes_item),
                                       NULL,
                                       NULL};

static const char* const phases[] = {"snow", "water", "viscous", NULL};

#define REAL(name, unit, low, high, help)                                                      \
    {                                                                                          \
#name, FIRN_KEY_REAL, offsetof(material_item, name), unit, low, high, "as the preset", \
            NULL, NULL, help                                                                   \
    }
static const firn_key keys[] = {
    {"preset", FIRN_KEY_TEXT, offsetof(material_item, preset), NULL, 0, 0, "snow", NULL, NULL,
     "Kind of snow to start from: snow, powder, wet, chunky, icy, muddy, ...; `firn presets` lists "
     "them."},
    {"measured", FIRN_KEY_BLOCK, offsetof(material_item, measured), NULL, 0, 0, "none", NULL,
     &measured, "Instead of a preset: constants of natural snow of this density."},
    {"cam_clay", FIRN_KEY_BLOCK, offsetof(material_item, cam_clay), NULL, 0, 0, "none", NULL,
     &cam_clay, "A second plasticity, for weak layers and slabs."},
    {"phase", FIRN_KEY_ENUM, offsetof(material_item, phase), NULL, 0, 0, "snow", phases, NULL,
     "What it is (solver sph): snow; water, an incompressible fluid; or a viscous one. Fluids "
     "start from 1000 kg/m^3 and the heat of water."},
    {"becomes", FIRN_KEY_BLOCK, offsetof(material_item, becomes), NULL, 0, 0, "none", NULL,
     &becomes, "What it turns into, and when: fluid to snow, snow to water, water to ice."},
    {"look", FIRN_KEY_BLOCK, offsetof(material_item, look), NULL, 0, 0,
     "by phase: snow, water, chocolate", NULL, &firn_look_keys, "Appearance in pictures."},
    {"no_slip", FIRN_KEY_BOOL, offsetof(material_item, no_slip), NULL, 0, 0, "true", NULL, NULL,
     "A fluid with viscosity sticks to colliders; false: it slides along them."},
    REAL(density, "kg/m^3", 1, 2000, "Initial density rho_0."),
    REAL(young, "Pa", 1, 1e10, "Initial Young's modulus E_0: stiffness."),
    REAL(poisson, "-", 0, 0.49, "Poisson's ratio nu: lateral expansion under compression."),
    REAL(hardening, "-", 0, 100, "Hardening xi: larger is brittle, smaller ductile."),
    REAL(critical_compression, "-", 1e-6, 0.9,
         "Compression theta_c at which it yields: larger is chunky, smaller powdery."),
    REAL(critical_stretch, "-", 1e-6, 0.9,
         "Stretch theta_s at which it breaks: larger is chunky, smaller powdery."),
    REAL(hardening_max, "-", 1, 1e10, "Cap on the hardening factor exp(xi (1 - J_P))."),
    REAL(fracture_energy, "J/m^2", 0, 1e6,
         "Energy that a crack takes (solver mpm): stretched snow weakens so that it does not "
         "depend on the cell; 0, in all presets: by xi, so that finer cells break snow more "
         "easily."),
    REAL(viscosity, "Pa s", 0, 1e20,
         "Viscosity eta. Of a fluid (solver sph): 10 for phase viscous, 0 for water. Of snow, at "
         "the initial density, where it ages (solver mpm): it creeps and settles; 0, in all "
         "presets: does not creep; by density and temperature for measured snow."),
    {"surface_tension", FIRN_KEY_REAL, offsetof(material_item, surface_tension), "N/m", 0, 1e3, "0",
     NULL, NULL,
     "Surface tension of a fluid (solver sph), as cohesion between its particles: 0.073 for water. "
     "0: none."},
    REAL(viscosity_growth, "m^3/kg", 0, 1,
         "How the viscosity grows as snow becomes denser: eta rho/rho_0 exp(growth (rho - "
         "rho_0)); 0.023 in all presets."),
    REAL(sintering, "-", 0.01, 1,
         "Exponent n of sintering, where snow ages: broken snow that is pressed together regains "
         "its strength as (t/sintering_time)^n; 0.18 in all presets."),
    REAL(sintering_time, "s", 0, 1e10,
         "Time in which broken snow regains all its strength; 0, in all presets: it stays weak; a "
         "day for measured snow."),
    REAL(conductivity, "W/m/K", 0, 1e3,
         "Thermal conductivity; 0.3 in all presets, by density for measured snow."),
    REAL(heat_capacity, "J/kg/K", 1, 1e6,
         "Specific heat capacity; 2090, that of ice, in all presets."),
    {"young_at", FIRN_KEY_ROWS, offsetof(material_item, young_count), NULL, 2, FIRN_YOUNG_AT_MAX,
     "none", NULL, &young,
     "Young's modulus by temperature, instead of 'young': linear between the rows, constant beyond "
     "them (solver sph)."},
    {"keys", FIRN_KEY_ROWS, offsetof(material_item, key_count), NULL, 1, FIRN_MATERIAL_KEYS_MAX,
     "constant", NULL, &firn_material_key_keys,
     "Constants over time, as factors: linear between the keys, constant before the first and "
     "after the last (solver mpm)."},
};
const firn_key_block firn_material_keys = {
    "material",
    "A kind of snow, a preset and what differs from it; or a fluid.",
    keys,
    FIRN_KEY_COUNT(keys),
    sizeof(material_item),
    set_defaults,
    finish};
