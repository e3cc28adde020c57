// SPDX-License-Identifier: MIT
// Writes the scene's data as YAML: for the copy in a run's folder when a scene was built from code,
// and, without what does not affect the motion, for the hash that identifies equal scenes.
#include <math.h>
#include <string.h>

#include "bodies/joint.h"
#include "core/hash.h"
#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "scene/data/emitter.h"
#include "scene/data/presets.h"
#include "scene/data/snow.h"
#include "scene/keys/animation_keys.h"
#include "scene/keys/blocks.h"
#include "scene/keys/look_keys.h"
#include "scene/write/keys_write.h"
#include "scene/write/scene_write.h"
#include "scene/write/scene_writer.h"

// Values that solvers without heat ignore. Omitted if equal to those of all presets, which keeps
// the hash of scenes without heat.
static void add_heat(firn_scene_writer* w, const firn_snow_material* m)
{
    const firn_snow_material* usual = &firn_presets[0].snow;
    if (m->conductivity != usual->conductivity || m->heat_capacity != usual->heat_capacity) {
        firn_text_add(&w->text, ", ");
        firn_write_reals(w, "conductivity", &m->conductivity, 1);
        firn_text_add(&w->text, ", ");
        firn_write_reals(w, "heat_capacity", &m->heat_capacity, 1);
    }
    for (int32_t k = 0; k < m->young_count; k++) {
        firn_text_add(&w->text, k == 0 ? ", young_at: [{" : "}, {");
        firn_write_reals(w, "temperature", &m->young_at[k].temperature, 1);
        firn_text_add(&w->text, ", ");
        firn_write_reals(w, "young", &m->young_at[k].young, 1);
    }
    if (m->young_count > 0) firn_text_add(&w->text, "}]");
}

static void add_cam_clay(firn_scene_writer* w, const firn_cam_clay* c)
{
    if (!(c->friction > 0)) return;
    static const char* const names[] = {"friction", "cohesion", "consolidation", "hardening",
                                        "collapse"};
    const firn_real values[] = {c->friction, c->cohesion, c->consolidation, c->hardening,
                                c->collapse};
    for (int k = 0; k < 5; k++) {
        firn_text_add(&w->text, k == 0 ? ", cam_clay: {" : ", ");
        firn_write_reals(w, names[k], &values[k], 1);
    }
    firn_text_add(&w->text, "}");
}

// Values that only matter where snow ages: without, they keep the hash of scenes that do not.
static void add_ageing(firn_scene_writer* w, const firn_snow_material* m)
{
    const bool ages = m->viscosity > 0 || m->sintering_time > 0;
    if (!ages || (w->for_hash && !(w->scene->ageing.time_scale > 0))) return;
    const char* const names[] = {"viscosity", "viscosity_growth", "sintering", "sintering_time"};
    const firn_real values[] = {m->viscosity, m->viscosity_growth, m->sintering, m->sintering_time};
    for (int k = 0; k < 4; k++) {
        firn_text_add(&w->text, ", ");
        firn_write_reals(w, names[k], &values[k], 1);
    }
}

// Fluids and phase change; nothing for snow that stays snow.
static void add_phase(firn_scene_writer* w, const firn_material* m)
{
    const firn_snow_material* s = &m->snow;
    if (s->phase != FIRN_PHASE_SNOW) {
        static const char* const phases[] = {"snow", "water", "viscous"};
        firn_text_add(&w->text, ", phase: %s", phases[s->phase]);
        firn_text_add(&w->text, ", no_slip: %s, ", s->slips ? "false" : "true");
        firn_write_reals(w, "viscosity", &s->viscosity, 1);
    }
    if (s->surface_tension > 0) {
        firn_text_add(&w->text, ", ");
        firn_write_reals(w, "surface_tension", &s->surface_tension, 1);
    }
    if (!m->becomes.active) return;
    firn_text_add(&w->text, ", becomes: {material: ");
    if (w->for_hash)
        firn_text_add(&w->text, "%d", (int)m->becomes.material);
    else
        firn_text_add_json(&w->text, w->scene->materials[m->becomes.material].name);
    const char* const names[] = {"after", "below", "above", "over"};
    const double values[] = {m->becomes.after, m->becomes.below, m->becomes.above, m->becomes.over};
    for (int k = 0; k < 4; k++) {
        if (!isfinite(values[k])) continue;
        firn_text_add(&w->text, ", %s: ", names[k]);
        firn_write_number(&w->text, values[k], w->digits);
    }
    firn_text_add(&w->text, "}");
}

static void add_material_keys(firn_scene_writer* w, const firn_material* m)
{
    for (int32_t k = 0; k < m->key_count; k++) {
        firn_text_add(&w->text, k == 0 ? ", keys: [" : ", ");
        firn_keys_write(&w->text, &firn_material_key_keys, &m->keys[k], w->digits);
    }
    if (m->key_count > 0) firn_text_add(&w->text, "]");
}

static void add_materials(firn_scene_writer* w)
{
    if (w->scene->material_count > 0) firn_text_add(&w->text, "materials:\n");
    for (firn_local i = 0; i < w->scene->material_count; i++) {
        const firn_material* m = &w->scene->materials[i];
        firn_text_add(&w->text, "  ");
        if (w->for_hash)
            firn_text_add(&w->text, "%d", (int)i);  // names do not affect the hash
        else
            firn_text_add_json(&w->text, m->name);
        firn_text_add(&w->text, ": {");
        const char* const names[] = {
            "density",          "young",        "poisson", "hardening", "critical_compression",
            "critical_stretch", "hardening_max"};
        const firn_real values[] = {m->snow.density,
                                    m->snow.young,
                                    m->snow.poisson,
                                    m->snow.hardening,
                                    m->snow.critical_compression,
                                    m->snow.critical_stretch,
                                    m->snow.hardening_max};
        for (int k = 0; k < 7; k++) {
            if (k > 0) firn_text_add(&w->text, ", ");
            firn_write_reals(w, names[k], &values[k], 1);
        }
        if (m->snow.fracture_energy > 0) {
            firn_text_add(&w->text, ", ");
            firn_write_reals(w, "fracture_energy", &m->snow.fracture_energy, 1);
        }
        add_cam_clay(w, &m->snow.cam_clay);
        if (m->snow.phase == FIRN_PHASE_SNOW) add_ageing(w, &m->snow);
        add_heat(w, &m->snow);
        add_phase(w, m);
        add_material_keys(w, m);
        if (!w->for_hash) firn_material_look_write(&w->text, ", ", &m->look);
        firn_text_add(&w->text, "}\n");
    }
}

static void add_snow(firn_scene_writer* w, const firn_snow* s)
{
    static const char* const seedings[] = {"stratified", "lattice", "random"};
    if (s->shape >= 0) {
        firn_text_add(&w->text, "  - shape: ");
        firn_write_shape(w, s->shape);
    } else {  // for the hash the folder of a file does not matter
        const char* slash = w->for_hash ? strrchr(s->file, '/') : NULL;
        firn_text_add(&w->text, "  - file: ");
        firn_text_add_json(&w->text, slash != NULL ? slash + 1 : s->file);
    }
    firn_text_add(&w->text, "\n    material: ");
    if (w->for_hash)
        firn_text_add(&w->text, "%d", (int)s->material);
    else
        firn_text_add_json(&w->text, w->scene->materials[s->material].name);
    firn_text_add(&w->text, "\n    seeding: %s\n    seed: %lld\n    ", seedings[s->seeding],
                  (long long)s->seed);
    firn_write_double(w, "particles_per_cell", s->particles_per_cell);
    firn_text_add(&w->text, "\n    ");
    if (s->loose != 1) {
        firn_write_double(w, "loose", s->loose);
        firn_text_add(&w->text, "\n    ");
    }
    firn_write_doubles(w, "velocity", s->velocity);
    firn_text_add(&w->text, "\n    ");
    firn_write_doubles(w, "spin", s->spin);
    firn_text_add(&w->text, "\n");
    if (s->temperature != FIRN_SNOW_TEMPERATURE) {
        firn_text_add(&w->text, "    ");
        firn_write_double(w, "temperature", s->temperature);
        firn_text_add(&w->text, "\n");
    }
    firn_vary_write(&w->text, &s->vary, w->digits, w->for_hash);
}

// Omitted where it has no effect.
static void add_scale(firn_scene_writer* w, const char* before, firn_real scale)
{
    if (scale == 1) return;
    firn_text_add(&w->text, "%s", before);
    firn_write_reals(w, "scale", &scale, 1);
}

static void add_motion(firn_scene_writer* w, const firn_motion* m)
{
    if (m->key_count == 0) {
        firn_text_add(&w->text, "\n    ");
        firn_write_vec3(w, "velocity", m->velocity);
        firn_text_add(&w->text, "\n    ");
        firn_write_vec3(w, "spin", m->spin);
        firn_text_add(&w->text, "\n    ");
        firn_write_vec3(w, "pivot", m->pivot);
        firn_text_add(&w->text, "\n");
        return;
    }
    firn_text_add(&w->text, "\n    interpolation: %s\n    keyframes:\n",
                  m->interpolation == FIRN_INTERPOLATE_LINEAR ? "linear" : "smooth");
    for (firn_local i = 0; i < m->key_count; i++) {
        firn_text_add(&w->text, "      - {");
        firn_write_double(w, "time", m->keys[i].time);
        firn_text_add(&w->text, ", ");
        firn_write_vec3(w, "position", m->keys[i].position);
        firn_text_add(&w->text, ", ");
        firn_write_rotation(w, m->keys[i].rotation);
        add_scale(w, ", ", m->keys[i].scale);
        firn_text_add(&w->text, "}\n");
    }
}

// Omitted if it is the default, which keeps the hash of scenes that do not use it.
static void add_surface(firn_scene_writer* w, const firn_collider* c)
{
    if (c->viscosity >= 0) {
        firn_text_add(&w->text, "    ");
        firn_write_reals(w, "viscosity", &c->viscosity, 1);
        firn_text_add(&w->text, "\n");
    }
    if (c->adhesion != 0) {
        firn_text_add(&w->text, "    ");
        firn_write_reals(w, "adhesion", &c->adhesion, 1);
        firn_text_add(&w->text, "\n");
    }
    if (c->mass > 0) {
        firn_text_add(&w->text, "    ");
        firn_write_reals(w, "mass", &c->mass, 1);
        firn_text_add(&w->text, "\n");
    }
    if (c->inertia.x > 0) {
        firn_text_add(&w->text, "    ");
        firn_write_vec3(w, "inertia", c->inertia);
        firn_text_add(&w->text, "\n");
    }
    const struct {
        const char* name;
        firn_real value;
    } rates[] = {{"restitution", c->restitution},
                 {"damping", c->damping},
                 {"angular_damping", c->angular_damping}};
    for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
        if (rates[k].value == 0) continue;
        firn_text_add(&w->text, "    ");
        firn_write_reals(w, rates[k].name, &rates[k].value, 1);
        firn_text_add(&w->text, "\n");
    }
    if (isnan(c->temperature) && !c->temperature_of_air) return;
    firn_text_add(&w->text, "    ");
    if (c->temperature_of_air)
        firn_text_add(&w->text, "temperature_of_air: true");
    else
        firn_write_reals(w, "temperature", &c->temperature, 1);
    firn_text_add(&w->text, "\n    ");
    firn_write_reals(w, "heat_transfer", &c->heat_transfer, 1);
    firn_text_add(&w->text, "\n");
}

static void add_collider(firn_scene_writer* w, const firn_collider* c)
{
    firn_text_add(&w->text, c->deforming != NULL ? "  - animation: " : "  - shape: ");
    if (c->deforming != NULL)
        firn_animation_write(&w->text, c->deforming, w->for_hash, w->digits);
    else
        firn_write_shape(w, c->shape);
    firn_text_add(&w->text, "\n    ");
    firn_write_reals(w, "friction", &c->friction, 1);
    firn_text_add(&w->text, "\n    sticky: %s\n    ", c->sticky ? "true" : "false");
    firn_write_vec3(w, "position", c->motion.position);
    firn_text_add(&w->text, "\n    ");
    firn_write_rotation(w, c->motion.rotation);
    add_scale(w, "\n    ", c->motion.scale);
    add_motion(w, &c->motion);
    add_surface(w, c);
    if (!w->for_hash) firn_look_write(&w->text, &c->look);  // does not affect the motion
}

static void add_cull(firn_scene_writer* w, const firn_cull_block* c)
{
    const char* comma = "";
    if (!c->active) return;
    firn_text_add(&w->text, "cull: {");
    if (c->start != 0) {
        firn_write_double(w, "start", c->start);
        comma = ", ";
    }
    if (c->below > -INFINITY) {
        firn_text_add(&w->text, "%s", comma);
        firn_write_double(w, "below", c->below);
        comma = ", ";
    }
    if (c->inside >= 0) {
        firn_text_add(&w->text, "%sinside: ", comma);
        firn_write_shape(w, c->inside);
        comma = ", ";
    }
    if (c->outside >= 0) {
        firn_text_add(&w->text, "%soutside: ", comma);
        firn_write_shape(w, c->outside);
    }
    firn_text_add(&w->text, "}\n");
}

static void add_scene(firn_scene_writer* w)
{
    const firn_scene_data* s = w->scene;
    firn_text_add(&w->text, "firn: 1\n");
    if (s->title != NULL && !w->for_hash) {
        firn_text_add(&w->text, "title: ");
        firn_text_add_json(&w->text, s->title);
        firn_text_add(&w->text, "\n");
    }
    if (s->solver_keys != NULL) {
        firn_text_add(&w->text, "solver: %s\n%s: ", s->solver_keys->name, s->solver_keys->name);
        firn_keys_write(&w->text, s->solver_keys, s->solver_def, w->digits);
        firn_text_add(&w->text, "\n");
    }
    firn_time_block time = s->time;
    if (w->for_hash) time.frames = 1;
    firn_text_add(&w->text, "time: ");
    firn_key_block keys = firn_time_keys;
    if (time.first == 0)
        keys.key_count--;  // the last key; keeps the hash of scenes that begin at 0
    firn_keys_write(&w->text, &keys, &time, w->digits);
    firn_text_add(&w->text, "\n");
    if (s->gravity_key_count == 0) {
        firn_write_doubles(w, "gravity", s->gravity);
        firn_text_add(&w->text, "\n");
    }
    add_materials(w);
    if (s->snow_count > 0) firn_text_add(&w->text, "snow:\n");
    for (firn_local i = 0; i < s->snow_count; i++) add_snow(w, &s->snow[i]);
    if (s->collider_count > 0) firn_text_add(&w->text, "colliders:\n");
    for (firn_local i = 0; i < s->collider_count; i++) add_collider(w, &s->colliders[i]);
    if (s->joint_count > 0) firn_text_add(&w->text, "joints:\n");
    for (firn_local i = 0; i < s->joint_count; i++)
        firn_joint_write(&w->text, &s->joints[i], w->digits);
    if (s->emitter_count > 0) firn_text_add(&w->text, "emitters:\n");
    for (firn_local i = 0; i < s->emitter_count; i++) firn_write_emitter(w, &s->emitters[i]);
    firn_forces_write(&w->text, s, w->digits);
    firn_air_write(&w->text, &s->air, w->digits, w->for_hash);
    add_cull(w, &s->cull);
    if (s->ageing.time_scale > 0) {
        firn_text_add(&w->text, "ageing: {");
        firn_write_double(w, "time_scale", s->ageing.time_scale);
        firn_text_add(&w->text, "}\n");
    }
    if (s->powder.active) {
        firn_text_add(&w->text, "powder: ");
        firn_keys_write(&w->text, &firn_powder_keys, &s->powder, w->digits);
        firn_text_add(&w->text, "\n");
    }
    if (w->for_hash) return;
    firn_text_add(&w->text, "output: ");
    firn_keys_write(&w->text, &firn_output_keys, &s->output, w->digits);
    firn_text_add(&w->text, "\nrender: ");
    firn_keys_write(&w->text, &firn_render_keys, &s->render, w->digits);
    firn_text_add(&w->text, "\n");
}

static char* write_scene(const firn_scene_data* scene, bool for_hash)
{
    firn_locale locale = firn_locale_open();
    firn_scene_writer w = {
        .scene = scene, .digits = for_hash ? FIRN_HASH_DIGITS : 17, .for_hash = for_hash};
    if (for_hash) firn_write_hash_shapes(&w);
    if (!w.text.failed) add_scene(&w);
    firn_free(w.shape_hashes);
    firn_locale_close(&locale);
    return firn_text_take(&w.text);
}

char* firn_scene_to_yaml(const firn_scene_data* scene)
{
    return scene->effective != NULL ? firn_strdup(scene->effective) : write_scene(scene, false);
}

uint64_t firn_scene_hash(const firn_scene_data* scene)
{
    char* text = write_scene(scene, true);
    if (text == NULL) return 0;
    const uint64_t hash = firn_hash(text, strlen(text), 0);
    firn_free(text);
    return hash;
}
