// SPDX-License-Identifier: MIT
// Builds a scene from code: materials.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "scene/data/measured.h"
#include "scene/data/presets.h"
#include "scene/data/snow.h"
#include "sim/entry.h"
#include "sim/scene/scene_api.h"
#include "sim/sim_ids.h"

_Static_assert((int)FIRN_MATERIAL_WATER == (int)FIRN_PHASE_WATER &&
                   (int)FIRN_MATERIAL_VISCOUS == (int)FIRN_PHASE_VISCOUS,
               "the kinds of the API are the phases of the solver");

static firn_result refuse(firn_scene* scene, firn_result code, const char* text)
{
    firn_error error;
    firn_fail(&error, code, "%s", text);
    return firn_scene_refuse(scene, &error);
}

#define OUT_OF_MEMORY(scene) refuse(scene, FIRN_BROKEN_MEMORY, "out of memory")

static bool plausible(const firn_snow_material* s)
{
    return s->density > 0 && s->density < 1e5 && s->young > 0 && s->poisson > -1 &&
           s->poisson < (firn_real)0.5 && s->hardening >= 0 && s->critical_compression > 0 &&
           s->critical_compression < 1 && s->critical_stretch > 0 &&
           firn_is_finite(s->young + s->hardening + s->critical_stretch);
}

// Why the fluid's part of a definition cannot be; null: it can.
static const char* mistake_of_fluid(const firn_material_def* def)
{
    const bool snow = def->phase == FIRN_MATERIAL_SNOW;
    if (!snow && def->phase != FIRN_MATERIAL_WATER && def->phase != FIRN_MATERIAL_VISCOUS)
        return "phase is snow, water or viscous (firn_material_kind)";
    if (!snow && def->preset != NULL) return "a fluid does not start from a preset of snow";
    if (!(def->viscosity >= 0 && def->viscosity <= (firn_real)1e20))
        return "a material has a viscosity of 0 to 1e20 Pa s";
    if (!(def->surface_tension >= 0 && def->surface_tension <= 1000))
        return "a fluid has a surface tension of 0 to 1000 N/m";
    if (snow && def->surface_tension > 0) return "only fluids have a surface tension";
    return NULL;
}

// What the definition turns into. Refused: not a material of the scene, or impossible times.
static firn_result find_becomes(firn_scene* scene, const firn_material_def* def, firn_becomes* out)
{
    *out = (firn_becomes){0};
    if (def->becomes.slot1 == 0) return FIRN_OK;
    firn_error error;
    firn_local material;
    if (firn_scene_material_find(scene, def->becomes, &material, &error) != FIRN_OK)
        return firn_scene_refuse(scene, &error);
    const double times[] = {def->becomes_after, def->becomes_over};
    const double degrees[] = {def->becomes_below, def->becomes_above};
    for (int k = 0; k < 2; k++)
        if (!(times[k] >= 0) || isinf(degrees[k]) || degrees[k] < -273.15)
            return refuse(scene, FIRN_REFUSED_ARGUMENT,
                          "becomes_after and becomes_over are times >= 0; becomes_below and "
                          "becomes_above are temperatures, or NaN");
    if (isinf(def->becomes_over))
        return refuse(scene, FIRN_REFUSED_ARGUMENT, "becomes_over is a finite time");
    *out = (firn_becomes){true,
                          material,
                          def->becomes_after,
                          def->becomes_below,
                          def->becomes_above,
                          def->becomes_over};
    return FIRN_OK;
}

static bool is_taken(const firn_scene_data* d, const char* name)
{
    for (firn_local k = 0; k < d->material_count; k++)
        if (strcmp(d->materials[k].name, name) == 0) return true;
    return false;
}

// A name that no material of the scene has: "snow", "snow-2", ... A scene with one name twice could
// not be read again. Owned by the caller; null: out of memory.
static char* own_name(const firn_scene_data* d, const char* name)
{
    firn_text text = {0};
    firn_text_add(&text, "%s", name);
    for (firn_local k = 2; text.data != NULL && is_taken(d, text.data); k++) {
        firn_text_destroy(&text);
        firn_text_add(&text, "%s-%d", name, (int)k);
    }
    return firn_text_take(&text);
}

// Adds a material whose constants are plausible. `preset` may be null.
static firn_result add_material(firn_scene* scene, const char* name, const char* preset,
                                const firn_snow_material* snow, const firn_becomes* becomes,
                                firn_material_id* out_id)
{
    firn_scene_data* d = &scene->data;
    if (!firn_reserve((void**)&d->materials, &d->material_capacity, d->material_count + 1,
                      sizeof *d->materials))
        return OUT_OF_MEMORY(scene);
    firn_material* m = &d->materials[d->material_count];
    *m = (firn_material){
        .name = own_name(d, name != NULL ? name : "snow"), .snow = *snow, .becomes = *becomes};
    if (preset != NULL) m->preset = firn_strdup(preset);
    if (m->name == NULL || (preset != NULL && m->preset == NULL)) {
        firn_free(m->name);
        return OUT_OF_MEMORY(scene);
    }
    d->material_count++;
    if (out_id != NULL) *out_id = (firn_material_id){(uint32_t)d->material_count, scene->owner};
    firn_scene_data_changed(d);
    return FIRN_OK;
}

firn_result firn_scene_add_material(firn_scene* scene, const firn_material_def* def,
                                    firn_material_id* out_id)
{
    (void)firn_call(NULL);
    if (scene == NULL) return firn_call_null(__func__);
    firn_material_def own;
    FIRN_TRY(firn_scene_take_def(scene, FIRN_DEF_MATERIAL, def, &own));
    def = &own;
    firn_snow_material snow = {.density = def->density,
                               .young = def->young,
                               .poisson = def->poisson,
                               .hardening = def->hardening,
                               .critical_compression = def->critical_compression,
                               .critical_stretch = def->critical_stretch,
                               .hardening_max = (firn_real)1e5,
                               .viscosity_growth = FIRN_VISCOSITY_GROWTH,
                               .sintering = FIRN_SINTERING_EXPONENT,
                               .conductivity = firn_presets[0].snow.conductivity,
                               .heat_capacity = firn_presets[0].snow.heat_capacity};
    if (def->preset != NULL) {
        const firn_preset* preset = firn_preset_find(def->preset);
        if (preset == NULL)
            return refuse(scene, FIRN_REFUSED_NAME, "there is no such preset of snow");
        snow = preset->snow;
    }
    if (def->phase != FIRN_MATERIAL_SNOW)
        firn_preset_of_fluid(&snow, (firn_material_phase)def->phase);
    if (def->preset == NULL || def->viscosity > 0) snow.viscosity = def->viscosity;
    snow.slips = def->slips;
    snow.surface_tension = def->surface_tension;
    if (!plausible(&snow))
        return refuse(scene, FIRN_REFUSED_ARGUMENT,
                      "a material needs density, young and thresholds > 0 and -1 < poisson < 0.5");
    const char* mistake = mistake_of_fluid(def);
    if (mistake != NULL) return refuse(scene, FIRN_REFUSED_ARGUMENT, mistake);
    firn_becomes becomes;
    FIRN_TRY(find_becomes(scene, def, &becomes));
    return add_material(scene, def->name, def->preset, &snow, &becomes, out_id);
}

firn_result firn_scene_add_measured(firn_scene* scene, const firn_measured_def* def,
                                    firn_material_id* out_id)
{
    (void)firn_call(NULL);
    if (scene == NULL) return firn_call_null(__func__);
    firn_measured_def own;
    FIRN_TRY(firn_scene_take_def(scene, FIRN_DEF_MEASURED, def, &own));
    def = &own;
    const bool fits = def->density >= FIRN_MEASURED_DENSITY_MIN &&
                      def->density <= FIRN_MEASURED_DENSITY_MAX &&
                      def->temperature >= FIRN_MEASURED_COLDEST && def->temperature <= 0;
    if (!fits)
        return refuse(scene, FIRN_REFUSED_ARGUMENT,
                      "measured snow has 50 to 500 kg/m^3 and -60 to 0 degC");
    const firn_measured_snow given = {def->density, def->temperature,
                                      def->faceted ? FIRN_GRAINS_FACETED : FIRN_GRAINS_ROUNDED};
    const firn_snow_material snow = firn_measured_material(&given);
    const firn_becomes stays = {0};
    return add_material(scene, def->name, NULL, &snow, &stays, out_id);
}

firn_result firn_scene_need_material(firn_scene* scene)
{
    if (scene->data.material_count > 0) return FIRN_OK;
    const firn_material_def table2 = firn_default_material_def();
    firn_material_id ignored;
    return firn_scene_add_material(scene, &table2, &ignored);
}
