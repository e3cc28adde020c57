// SPDX-License-Identifier: MIT
// Key frames of a deforming collider from a sequence of .vdb files: a level set, and velocities if
// the files have them.
#include <string.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/memory.h"
#include "geometry/deform/deform_source.h"
#include "geometry/deform/deform_velocity.h"
#include "geometry/levelset/velocity_vdb.h"
#include "mesh/io/sequence.h"

typedef struct files {
    firn_deforming_def def;  // strings owned
    int64_t key_count;
} files;

static char* name_of(const files* s, int64_t k)
{
    return firn_sequence_name(s->def.animation.file, s->def.animation.first + k);
}

static firn_result no_memory(const files* s, firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY, "'%s': out of memory", s->def.animation.file);
}

static double time_of(const void* self, int64_t k)
{
    return (double)k / ((const files*)self)->def.animation.fps;
}

static uint64_t hash_of(const void* self, int64_t k)
{
    char* name = name_of(self, k);
    if (name == NULL) return (uint64_t)k;
    uint64_t bytes = 0, checksum = 0;
    uint64_t hash = firn_hash(name, strlen(name), 0);
    // If a file cannot be read, hash its name instead; making its key reports the error.
    if (firn_file_checksum(name, &bytes, &checksum, NULL) == FIRN_OK)
        hash = firn_hash(&bytes, sizeof bytes, checksum);
    firn_free(name);
    return hash;
}

static firn_result make_phi(void* self, int64_t k, const firn_level_set** out_phi,
                            firn_error* error)
{
    const files* s = self;
    char* name = name_of(s, k);
    if (name == NULL) return no_memory(s, error);
    const firn_result result = firn_level_set_from_vdb(name, s->def.grid, out_phi, error);
    firn_free(name);
    return result;
}

static firn_result sample_file(const files* s, const char* name, firn_velocity_grid* grid,
                               uint8_t* known, bool* out_found, firn_error* error)
{
#ifdef FIRN_HAVE_VDB
    char message[400] = "";
    const firn_result result = firn_vdb_velocities(name, s->def.velocity_grid, grid, known,
                                                   out_found, message, sizeof message);
    return result == FIRN_OK ? result : firn_fail(error, result, "'%s': %s", name, message);
#else  // reading the level set has failed already
    (void)s, (void)name, (void)grid, (void)known, (void)out_found;
    return firn_fail(error, FIRN_REFUSED_BACKEND, "this firn was built without OpenVDB");
#endif
}

// The velocity grid over the solid; *out_found is false if the file has none.
static firn_result read_velocity(const files* s, const firn_deform_stencil* stencil,
                                 firn_velocity_grid* grid, bool* out_found, firn_error* error)
{
    char* name = name_of(s, stencil->here);
    uint8_t* known = firn_alloc((size_t)firn_velocity_grid_count(grid), 1);
    firn_result result = name != NULL && known != NULL
                             ? sample_file(s, name, grid, known, out_found, error)
                             : no_memory(s, error);
    if (result == FIRN_OK && *out_found) {
        *out_found = firn_deform_fill(grid, known);
        if (!*out_found && s->def.velocity_grid != NULL)
            result =
                firn_fail(error, FIRN_REFUSED_SCENE, "%s: grid '%s' has no values near the surface",
                          name, s->def.velocity_grid);
    }
    firn_free(name);
    firn_free(known);
    return result;
}

static firn_result make_velocity(void* self, const firn_deform_stencil* stencil,
                                 firn_velocity_grid* out_grid, firn_error* error)
{
    const files* s = self;
    const firn_box3 none = {{1, 1, 1}, {0, 0, 0}};
    const firn_box3 boxes[3] = {none, stencil->phi->bounds, none};
    FIRN_TRY(firn_deform_grid(boxes, stencil->phi->voxel, out_grid, error));
    bool found = false;
    const firn_result result = read_velocity(s, stencil, out_grid, &found, error);
    if (result == FIRN_OK && found) return FIRN_OK;
    firn_velocity_grid_destroy(out_grid);
    return result != FIRN_OK ? result : firn_deform_normal_motion(stencil, out_grid, error);
}

static firn_result find_closes(void* self, bool* out_closes, firn_error* error)
{
    (void)error;
    const files* s = self;
    *out_closes = hash_of(s, 0) == hash_of(s, s->key_count - 1);
    return FIRN_OK;
}

static void destroy(void* self)
{
    files* s = self;
    firn_free((void*)s->def.animation.file);
    firn_free((void*)s->def.grid);
    firn_free((void*)s->def.velocity_grid);
    firn_free(s);
}

static bool own_text(const char** text)
{
    if (*text == NULL) return true;
    *text = firn_strdup(*text);
    return *text != NULL;
}

firn_result firn_deform_open_vdb(const firn_deforming_def* def, firn_deform_source* out_source,
                                 firn_error* error)
{
    const firn_animation_def* a = &def->animation;
    if (!firn_sequence_is_pattern(a->file))
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: one .vdb file is no animation: number the files and name them as in "
                         "'walk.%%04d.vdb'",
                         a->file);
    FIRN_TRY(firn_sequence_check(a->file, a->first, a->last, error));
    if (!(a->fps > 0 && a->fps <= 1e6))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "%s: %g frames a second, must be above 0 and at most a million", a->file,
                         a->fps);
    files* s = firn_alloc(1, sizeof *s);
    if (s == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "'%s': out of memory", a->file);
    s->def = *def;
    bool ok = own_text(&s->def.animation.file);
    ok = own_text(&s->def.grid) && ok;
    ok = own_text(&s->def.velocity_grid) && ok;
    s->key_count = a->last - a->first + 1;
    if (!ok) {
        destroy(s);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "'%s': out of memory", a->file);
    }
    *out_source = (firn_deform_source){.self = s,
                                       .key_count = s->key_count,
                                       .time = time_of,
                                       .hash = hash_of,
                                       .phi = make_phi,
                                       .velocity = make_velocity,
                                       .closes = find_closes,
                                       .destroy = destroy};
    return FIRN_OK;
}
