// SPDX-License-Identifier: MIT
// Animations of a glTF file: the curves that animate its nodes. glTF 2.0, section 3.11.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "mesh/io/gltf.h"

#define LIST_MAX 20  // names in a message

static const char* const property_names[FIRN_GLTF_PROPERTIES] = {"translation", "rotation", "scale",
                                                                 "weights"};

// The animation called `clip`.
static firn_result find_clip(const firn_gltf_file* f, const char* clip, firn_local* out_clip,
                             firn_error* error)
{
    const firn_local count = f->row_count[FIRN_GLTF_ANIMATIONS];
    firn_text names = {0};
    bool found = false;
    for (firn_local a = 0; a < count && !found; a++) {
        char* name = firn_json_string(
            &f->json, firn_json_member(&f->json, f->rows[FIRN_GLTF_ANIMATIONS][a], "name"));
        if (name == NULL) names.failed = true;
        found = name != NULL && strcmp(name, clip) == 0;
        if (found) *out_clip = a;
        if (name != NULL && a < LIST_MAX)
            firn_text_add(&names, "%s%s", a == 0 ? "" : ", ",
                          name[0] == '\0' ? "(one without a name)" : name);
        firn_free(name);
    }
    firn_result result = FIRN_OK;
    if (!found)
        result = firn_fail(error, names.failed ? FIRN_BROKEN_MEMORY : FIRN_REFUSED_NAME,
                           "%s: no animation is called '%s'; there are: %s%s", f->path, clip,
                           names.data != NULL ? names.data : "", count > LIST_MAX ? ", ..." : "");
    firn_text_destroy(&names);
    return result;
}

static firn_result check_times(const firn_gltf_file* f, const char* purpose,
                               const firn_gltf_curve* c, firn_error* error)
{
    for (firn_local k = 0; k < c->count; k++)
        if (c->times[k] < 0 || (k > 0 && c->times[k] <= c->times[k - 1]))
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "%s: times of %s: key %d is at %g s: keys must begin at 0 or later "
                             "and follow each other",
                             f->path, purpose, (int)k, (double)c->times[k]);
    return FIRN_OK;
}

static firn_result read_interpolation(const firn_gltf_file* f, firn_local sampler,
                                      firn_gltf_interpolation* out, firn_error* error)
{
    const firn_local value = firn_json_member(&f->json, sampler, "interpolation");
    if (value < 0 || firn_json_equals(&f->json, value, "LINEAR"))
        *out = FIRN_GLTF_LINEAR;
    else if (firn_json_equals(&f->json, value, "STEP"))
        *out = FIRN_GLTF_STEP;
    else if (firn_json_equals(&f->json, value, "CUBICSPLINE"))
        *out = FIRN_GLTF_CUBIC;
    else
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte %zu: 'interpolation' must be LINEAR, STEP or CUBICSPLINE",
                         f->path, firn_json_offset(&f->json, value));
    return FIRN_OK;
}

// Fills `c`; the caller frees it also on failure.
static firn_result read_curve(const firn_gltf_file* f, firn_local sampler, const char* purpose,
                              int width, bool scalars, firn_gltf_curve* c, firn_error* error)
{
    firn_local input, output, values;
    FIRN_TRY(firn_gltf_index(f, sampler, "input", FIRN_GLTF_ACCESSORS, &input, error));
    FIRN_TRY(firn_gltf_index(f, sampler, "output", FIRN_GLTF_ACCESSORS, &output, error));
    if (input < 0 || output < 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte %zu: %s: its sampler must have 'input' and 'output'", f->path,
                         firn_json_offset(&f->json, sampler), purpose);
    c->width = width;
    FIRN_TRY(read_interpolation(f, sampler, &c->interpolation, error));
    FIRN_TRY(firn_gltf_read_floats(f, input, 1, purpose, &c->times, &c->count, error));
    FIRN_TRY(check_times(f, purpose, c, error));
    FIRN_TRY(
        firn_gltf_read_floats(f, output, scalars ? 1 : width, purpose, &c->values, &values, error));
    const int64_t need =
        (int64_t)c->count * (scalars ? width : 1) * (c->interpolation == FIRN_GLTF_CUBIC ? 3 : 1);
    if (values == need) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_SCENE, "%s: %s: %d values for %d keys, must be %lld",
                     f->path, purpose, (int)values, (int)c->count, (long long)need);
}

static int find_property(const firn_json* json, firn_local path)
{
    int k = 0;
    while (k < FIRN_GLTF_PROPERTIES && !firn_json_equals(json, path, property_names[k])) k++;
    return k;
}

// The sampler that a channel refers to.
static firn_result find_sampler(const firn_gltf_file* f, firn_local samplers, firn_local channel,
                                firn_local* out_sampler, firn_error* error)
{
    const firn_json* json = &f->json;
    int64_t index;
    FIRN_TRY(firn_gltf_count(f, channel, "sampler", INT64_MAX, &index, error));
    const bool good = samplers >= 0 && json->values[samplers].type == FIRN_JSON_ARRAY;
    if (!good || index >= json->values[samplers].count)
        return firn_fail(
            error, FIRN_REFUSED_SCENE, "%s: byte %zu: 'sampler' must be one of the animation's %d",
            f->path, firn_json_offset(json, channel), good ? (int)json->values[samplers].count : 0);
    *out_sampler = samplers + 1;
    while (index-- > 0) *out_sampler = json->values[*out_sampler].next;
    return FIRN_OK;
}

static firn_result read_channel(const firn_gltf_file* f, firn_local samplers, firn_local channel,
                                firn_gltf* g, firn_error* error)
{
    const firn_local target = firn_json_member(&f->json, channel, "target");
    const int property = find_property(&f->json, firn_json_member(&f->json, target, "path"));
    firn_local node, sampler = -1;
    FIRN_TRY(firn_gltf_index(f, target, "node", FIRN_GLTF_NODES, &node, error));
    if (node < 0 || property == FIRN_GLTF_PROPERTIES) return FIRN_OK;  // not supported
    FIRN_TRY(find_sampler(f, samplers, channel, &sampler, error));
    firn_gltf_node* n = &g->nodes[node];
    char purpose[200], name[90];
    firn_gltf_row_text(f, FIRN_GLTF_NODES, node, name, sizeof name);
    snprintf(purpose, sizeof purpose, "the %s of %s", property_names[property], name);
    if (n->curves[property].count > 0)
        return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte %zu: two channels move %s", f->path,
                         firn_json_offset(&f->json, channel), purpose);
    if (n->has_matrix && property != FIRN_GLTF_WEIGHTS)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte %zu: a channel moves %s, which has a 'matrix': it must have "
                         "translation, rotation and scale instead",
                         f->path, firn_json_offset(&f->json, channel), purpose);
    static const int widths[] = {3, 4, 3};
    const bool morph = property == FIRN_GLTF_WEIGHTS;
    const int targets = n->mesh >= 0 ? (int)g->meshes[n->mesh].target_count : 0;
    if (morph && targets == 0) return FIRN_OK;  // no morph targets to animate
    return read_curve(f, sampler, purpose, morph ? targets : widths[property], morph,
                      &n->curves[property], error);
}

// The channels of animation `a`.
static firn_result find_channels(const firn_gltf_file* f, firn_local a, firn_local* out_channels,
                                 firn_error* error)
{
    const firn_local row = f->rows[FIRN_GLTF_ANIMATIONS][a];
    const firn_local channels = firn_json_member(&f->json, row, "channels");
    if (channels < 0 || f->json.values[channels].type != FIRN_JSON_ARRAY ||
        f->json.values[channels].count == 0)
        return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte %zu: animations[%d] has no channels",
                         f->path, firn_json_offset(&f->json, row), (int)a);
    *out_channels = channels;
    return FIRN_OK;
}

// True if none of the channels moves what moves already.
static bool is_free(const firn_gltf_file* f, firn_local channels, const firn_gltf* g)
{
    const firn_json* json = &f->json;
    for (firn_local v = channels + 1; v < json->values[channels].next; v = json->values[v].next) {
        const firn_local target = firn_json_member(json, v, "target");
        const int property = find_property(json, firn_json_member(json, target, "path"));
        firn_local node;
        if (firn_gltf_index(f, target, "node", FIRN_GLTF_NODES, &node, NULL) == FIRN_OK &&
            node >= 0 && property < FIRN_GLTF_PROPERTIES &&
            g->nodes[node].curves[property].count > 0)
            return false;
    }
    return true;
}

// Reads animation `a` and appends its name to `names`. If `optional`, one that moves what moves
// already is left out.
static firn_result read_animation(const firn_gltf_file* f, firn_local a, bool optional,
                                  firn_gltf* g, firn_text* names, firn_error* error)
{
    const firn_json* json = &f->json;
    firn_local channels = -1;
    FIRN_TRY(find_channels(f, a, &channels, error));
    if (optional && !is_free(f, channels, g)) return FIRN_OK;
    const firn_local row = f->rows[FIRN_GLTF_ANIMATIONS][a];
    const firn_local samplers = firn_json_member(json, row, "samplers");
    char* name = firn_json_string(json, firn_json_member(json, row, "name"));
    if (name == NULL) names->failed = true;
    if (name != NULL && name[0] != '\0')
        firn_text_add(names, "%s%s", names->data == NULL ? "" : ", ", name);
    firn_free(name);
    for (firn_local v = channels + 1; v < json->values[channels].next; v = json->values[v].next)
        FIRN_TRY(read_channel(f, samplers, v, g, error));
    return FIRN_OK;
}

static void find_duration(firn_gltf* g)
{
    for (firn_local n = 0; n < g->node_count; n++)
        for (int p = 0; p < FIRN_GLTF_PROPERTIES; p++) {
            const firn_gltf_curve* c = &g->nodes[n].curves[p];
            if (c->count > 0 && (double)c->times[c->count - 1] > g->duration)
                g->duration = (double)c->times[c->count - 1];
        }
}

firn_result firn_gltf_read_clip(const firn_gltf_file* file, const char* clip, firn_gltf* gltf,
                                firn_error* error)
{
    firn_local first = 0, end = file->row_count[FIRN_GLTF_ANIMATIONS];
    if (end == 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: there is no animation in it: export it with one, or use it as a "
                         "mesh that does not deform",
                         file->path);
    if (clip != NULL) {
        FIRN_TRY(find_clip(file, clip, &first, error));
        end = first + 1;
    }
    firn_text names = {0};
    firn_result result = FIRN_OK;
    for (firn_local a = first; a < end && result == FIRN_OK; a++)
        result = read_animation(file, a, a > first, gltf, &names, error);
    if (result == FIRN_OK) {
        gltf->clip = firn_strdup(names.data != NULL ? names.data : "");
        if (names.failed || gltf->clip == NULL)
            result = firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to read it", file->path);
    }
    firn_text_destroy(&names);
    if (result == FIRN_OK) find_duration(gltf);
    return result;
}
