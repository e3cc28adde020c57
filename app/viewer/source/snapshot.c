// SPDX-License-Identifier: MIT
// Copies particles and colliders for drawing.
#include "viewer/source/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/source/fragments.h"

#define FRAGMENT_SMALLEST 8  // [voxels], as `firn measure`

// Outlier threshold of bounds and value range, in standard deviations: a few particles that flew
// off must not spoil the camera or the colours.
#define STRAY 2.6

// ---- memory -------------------------------------------------------------------------------------

static void free_meshes(view_snapshot* s)
{
    for (int b = 0; b < s->collider_count; b++) firn_body_mesh_free(&s->colliders[b].mesh);
}

void view_snapshot_free(view_snapshot* s)
{
    free_meshes(s);
    free(s->position);
    free(s->radius);
    free(s->value);
    free(s->phase);
    free(s->id);
    free(s->colliders);
    *s = (view_snapshot){0};
}

uint64_t view_snapshot_bytes(const view_snapshot* s)
{
    return (uint64_t)s->room * (sizeof *s->position + 2 * sizeof(float) + 1 + sizeof *s->id);
}

// Grows the arrays with some spare capacity, because emitters may add particles.
static bool make_room(view_snapshot* s, int64_t count)
{
    if (count <= s->room) return true;
    const size_t room = (size_t)count + (size_t)count / 8;
    free(s->position);
    free(s->radius);
    free(s->value);
    free(s->phase);
    free(s->id);
    s->position = malloc(room * sizeof *s->position);
    s->radius = malloc(room * sizeof *s->radius);
    s->value = malloc(room * sizeof *s->value);
    s->phase = malloc(room);
    s->id = malloc(room * sizeof *s->id);
    const bool good = s->position && s->radius && s->value && s->phase && s->id;
    s->room = good ? (int64_t)room : 0;
    return good;
}

// ---- fields -------------------------------------------------------------------------------------

// Range of a component without outliers, from mean and standard deviation.
typedef struct spread {
    double sum, square, low, high;
    int64_t count;
} spread;

static spread spread_begin(void)
{
    return (spread){.low = INFINITY, .high = -INFINITY};
}

static void spread_add(spread* s, double x)
{
    if (!isfinite(x)) return;
    s->sum += x;
    s->square += x * x;
    if (x < s->low) s->low = x;
    if (x > s->high) s->high = x;
    s->count++;
}

static void spread_range(const spread* s, double* out_low, double* out_high)
{
    if (s->count == 0) {
        *out_low = *out_high = 0;
        return;
    }
    const double mean = s->sum / (double)s->count;
    const double variance = s->square / (double)s->count - mean * mean;
    const double far = STRAY * sqrt(variance > 0 ? variance : 0);
    *out_low = fmax(s->low, mean - far);
    *out_high = fmin(s->high, mean + far);
}

static void copy_positions(view_snapshot* s, const firn_vec3* x)
{
    spread axis[3] = {spread_begin(), spread_begin(), spread_begin()};
    for (int64_t p = 0; p < s->count; p++) {
        s->position[p][0] = (float)x[p].x;
        s->position[p][1] = (float)x[p].y;
        s->position[p][2] = (float)x[p].z;
        for (int k = 0; k < 3; k++) spread_add(&axis[k], s->position[p][k]);
    }
    for (int k = 0; k < 3; k++) spread_range(&axis[k], &s->low[k], &s->high[k]);
}

// One value per particle: scalars as they are, vectors by length. False: a matrix.
static bool copy_values(float* out, const firn_field_view* view, int64_t count)
{
    const firn_real* real = view->data;
    const firn_vec3* vec = view->data;
    const uint8_t* u8 = view->data;
    const uint32_t* u32 = view->data;
    switch (view->type) {
    case FIRN_FIELD_REAL:
        for (int64_t p = 0; p < count; p++) out[p] = (float)real[p];
        return true;
    case FIRN_FIELD_VEC3:
        for (int64_t p = 0; p < count; p++) {
            const double x = vec[p].x, y = vec[p].y, z = vec[p].z;
            out[p] = (float)sqrt(x * x + y * y + z * z);
        }
        return true;
    case FIRN_FIELD_U8:
        for (int64_t p = 0; p < count; p++) out[p] = (float)u8[p];
        return true;
    case FIRN_FIELD_U32:
        for (int64_t p = 0; p < count; p++) out[p] = (float)u32[p];
        return true;
    case FIRN_FIELD_MAT3: break;
    }
    return false;
}

static double determinant(const firn_mat3* a)
{
    const firn_real(*m)[3] = a->m;
    return (double)m[0][0] * ((double)m[1][1] * m[2][2] - (double)m[1][2] * m[2][1]) -
           (double)m[0][1] * ((double)m[1][0] * m[2][2] - (double)m[1][2] * m[2][0]) +
           (double)m[0][2] * ((double)m[1][0] * m[2][1] - (double)m[1][1] * m[2][0]);
}

// What density needs where a solver keeps none. With a radius (grains): rho = m / r^3, as that
// solver ties them; else (mpm): rho = m / (V_0 J_E J_P).
typedef struct density_parts {
    firn_field_view mass, radius, volume, elastic, plastic;
    bool by_radius;
} density_parts;

static bool find_density_parts(const view_reader* r, density_parts* d)
{
    if (view_read_field(r, "mass", &d->mass) != FIRN_OK) return false;
    d->by_radius = view_read_field(r, "radius", &d->radius) == FIRN_OK &&
                   d->radius.type == FIRN_FIELD_REAL && d->mass.type == FIRN_FIELD_REAL;
    if (d->by_radius) return true;
    return view_read_field(r, "volume", &d->volume) == FIRN_OK &&
           view_read_field(r, "def_grad_elastic", &d->elastic) == FIRN_OK &&
           view_read_field(r, "plastic_volume", &d->plastic) == FIRN_OK &&
           d->mass.type == FIRN_FIELD_REAL && d->volume.type == FIRN_FIELD_REAL &&
           d->elastic.type == FIRN_FIELD_MAT3 && d->plastic.type == FIRN_FIELD_REAL;
}

static void compute_density(float* out, const density_parts* d, int64_t count)
{
    const firn_real *m = d->mass.data, *V_0 = d->volume.data, *J_P = d->plastic.data;
    const firn_mat3* F_E = d->elastic.data;
    const firn_real* r = d->radius.data;
    if (d->by_radius) {
        for (int64_t p = 0; p < count; p++)
            out[p] = r[p] > 0 ? (float)(m[p] / ((double)r[p] * r[p] * r[p])) : 0;
        return;
    }
    for (int64_t p = 0; p < count; p++) {
        const double volume = V_0[p] * determinant(&F_E[p]) * J_P[p];
        out[p] = volume > 0 ? (float)(m[p] / volume) : 0;  // before the first step it has no volume
    }
}

bool view_snapshot_has_field(const view_reader* reader, const char* field)
{
    firn_field_view view;
    density_parts parts;
    if (view_read_field(reader, field, &view) == FIRN_OK) return view.type != FIRN_FIELD_MAT3;
    return strcmp(field, "density") == 0 && find_density_parts(reader, &parts);
}

static void copy_value(view_snapshot* s, const view_reader* r, const char* field)
{
    firn_field_view view = {.unit = "kg/m^3"};
    density_parts parts;
    s->has_value = false;
    s->value_name[0] = s->unit[0] = '\0';
    if (!*field) return;
    if (view_read_field(r, field, &view) == FIRN_OK) {
        if (view.count < s->count || !copy_values(s->value, &view, s->count)) return;
    } else {
        if (strcmp(field, "density") != 0 || !find_density_parts(r, &parts)) return;
        if (parts.mass.count < s->count) return;
        compute_density(s->value, &parts, s->count);
    }
    spread all = spread_begin();
    for (int64_t p = 0; p < s->count; p++) spread_add(&all, s->value[p]);
    spread_range(&all, &s->value_low, &s->value_high);
    snprintf(s->value_name, sizeof s->value_name, "%s", field);
    snprintf(s->unit, sizeof s->unit, "%s", view.unit ? view.unit : "");
    s->has_value = true;
}

// ---- colliders
// -------------------------------------------------------------------------------------

static firn_result copy_colliders(view_snapshot* s, const view_reader* r)
{
    const int count = view_read_collider_count(r);
    if (count != s->collider_count) {
        free_meshes(s);
        free(s->colliders);
        s->collider_count = 0;
        s->colliders = calloc((size_t)count + 1, sizeof *s->colliders);
        if (!s->colliders) return FIRN_BROKEN_MEMORY;
        s->collider_count = count;
    }
    for (int b = 0; b < count; b++) {
        view_collider_state* collider = &s->colliders[b];
        firn_body_mesh_free(&collider->mesh);
        collider->mesh = (firn_body_mesh){0};
        if (view_read_collider(r, b, &collider->info) != FIRN_OK) {
            collider->info = (firn_body_info){.hidden = true};
            continue;
        }
        firn_error error;
        if (!collider->info.deforms || collider->info.hidden) continue;
        const firn_result result = view_read_mesh(r, b, &collider->mesh, &error);
        if (result < 0) return result;
        if (result != FIRN_OK) collider->mesh = (firn_body_mesh){0};
    }
    return FIRN_OK;
}

// Phases of particles that do not have that field, by the looks of their materials.
static void copy_looks(view_snapshot* s, const view_reader* reader)
{
    firn_field_view view;
    firn_view_info info;
    if (view_read_field(reader, "material", &view) != FIRN_OK || view.count < s->count ||
        view.type != FIRN_FIELD_U8 || view_read_info(reader, &info) != FIRN_OK)
        return;
    const uint8_t* material = view.data;
    for (int64_t p = 0; p < s->count; p++) {
        s->phase[p] = info.material_look[material[p]];
        s->has_phase |= s->phase[p] != 0;
    }
}

static void copy_extras(view_snapshot* s, const view_reader* reader)
{
    firn_field_view view;
    if (view_read_field(reader, "radius", &view) == FIRN_OK && view.count >= s->count)
        s->has_radius = copy_values(s->radius, &view, s->count);
    if (view_read_field(reader, "phase", &view) == FIRN_OK && view.count >= s->count &&
        view.type == FIRN_FIELD_U8) {
        memcpy(s->phase, view.data, (size_t)s->count);
        s->has_phase = true;
    } else {
        copy_looks(s, reader);
    }
    if (view_read_field(reader, "id", &view) == FIRN_OK && view.count >= s->count &&
        view.type == FIRN_FIELD_U32) {
        memcpy(s->id, view.data, (size_t)s->count * sizeof *s->id);
        s->has_id = true;
    }
}

firn_result view_snapshot_copy(view_snapshot* s, const view_reader* reader, const view_wants* wants)
{
    firn_field_view x;
    s->count = 0;
    s->has_radius = s->has_value = s->has_phase = s->has_id = false;
    const firn_result found = view_read_field(reader, "position", &x);
    if (found != FIRN_OK) return found < 0 ? found : FIRN_BROKEN_INTERNAL;
    if (!make_room(s, x.count)) return FIRN_BROKEN_MEMORY;
    s->count = x.count;
    copy_positions(s, x.data);
    copy_extras(s, reader);
    copy_value(s, reader, wants->field);
    view_particle_read(&s->picked, reader, wants->picked);
    s->fragments = wants->voxel > 0 ? view_count_fragments((const float(*)[3])s->position, s->count,
                                                           wants->voxel, FRAGMENT_SMALLEST)
                                    : -1;
    return copy_colliders(s, reader);
}
