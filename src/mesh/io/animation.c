// SPDX-License-Identifier: MIT
// Animated meshes from one of three sources; each source fills a row of the function table.
#include "mesh/io/animation.h"

#include <math.h>
#include <string.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/memory.h"
#include "mesh/io/gltf.h"
#include "mesh/io/pc2.h"
#include "mesh/io/sequence.h"

#define KEYS_MAX 10000000  // more than a day of film

struct firn_animation {
    const struct source* source;
    char* file;  // owned
    double fps;
    int64_t first, key_count;
    firn_mesh rest;  // .pc2
    firn_pc2 pc2;
    firn_gltf* gltf;  // glTF; owned
    firn_local node;  // -1: all nodes
    uint64_t hash;    // of the data that all keys share
    double scale;     // metres per unit of the files
    bool z_up;
};

// Operations of one kind of source. `open` allocates; firn_animation_close frees.
typedef struct source {
    firn_result (*open)(firn_animation* a, const firn_animation_def* def, firn_error* error);
    double (*time)(const firn_animation* a, int64_t k);
    uint64_t (*hash)(const firn_animation* a, int64_t k);
    firn_result (*key)(const firn_animation* a, int64_t k, firn_mesh* out_mesh, firn_error* error);
} source;

// --- a numbered sequence -------------------------------------------------------------------------

static firn_result open_sequence(firn_animation* a, const firn_animation_def* def,
                                 firn_error* error)
{
    if (!firn_mesh_is_file(def->file))
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: its ending names no mesh format: expected .obj, .ply, .stl, .gltf "
                         "or .glb",
                         def->file);
    FIRN_TRY(firn_sequence_check(def->file, def->first, def->last, error));
    a->first = def->first;
    a->key_count = def->last - def->first + 1;
    return FIRN_OK;
}

static double sequence_time(const firn_animation* a, int64_t k)
{
    return (double)k / a->fps;
}

static uint64_t sequence_hash(const firn_animation* a, int64_t k)
{
    char* name = firn_sequence_name(a->file, a->first + k);
    if (name == NULL) return a->hash + (uint64_t)k;
    uint64_t bytes = 0, checksum = 0;
    uint64_t hash = firn_hash(name, strlen(name), 0);
    // If a file cannot be read, hash its name instead; reading its key reports the error.
    if (firn_file_checksum(name, &bytes, &checksum, NULL) == FIRN_OK)
        hash = firn_hash(&bytes, sizeof bytes, checksum);
    firn_free(name);
    return hash;
}

static firn_result sequence_key(const firn_animation* a, int64_t k, firn_mesh* out_mesh,
                                firn_error* error)
{
    char* name = firn_sequence_name(a->file, a->first + k);
    if (name == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "'%s': no memory for a name", a->file);
    const firn_result result = firn_mesh_read(name, out_mesh, error);
    firn_free(name);
    return result;
}

static const source sequence_source = {open_sequence, sequence_time, sequence_hash, sequence_key};

// --- a point cache -------------------------------------------------------------------------------

static firn_result open_cache(firn_animation* a, const firn_animation_def* def, firn_error* error)
{
    if (def->mesh == NULL)
        return firn_fail(
            error, FIRN_REFUSED_SCENE,
            "%s: a .pc2 file has points only: 'mesh' must name the mesh they belong to", def->file);
    FIRN_TRY(firn_pc2_open(def->file, &a->pc2, error));
    FIRN_TRY(firn_mesh_read(def->mesh, &a->rest, error));
    if (a->rest.vertex_count != a->pc2.point_count)
        return firn_fail(
            error, FIRN_REFUSED_SCENE,
            "%s: byte 16: %d points, but the mesh '%s' has %d vertices: it must be the "
            "one that was exported",
            def->file, (int)a->pc2.point_count, def->mesh, (int)a->rest.vertex_count);
    a->key_count = a->pc2.sample_count;
    a->hash =
        firn_hash(a->rest.triangles, (size_t)a->rest.triangle_count * sizeof *a->rest.triangles, 0);
    return FIRN_OK;
}

static double cache_time(const firn_animation* a, int64_t k)
{
    return (double)k * a->pc2.rate / a->fps;
}

static firn_result cache_key(const firn_animation* a, int64_t k, firn_mesh* out_mesh,
                             firn_error* error)
{
    firn_mesh mesh;
    if (firn_mesh_copy(&a->rest, &mesh) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory for its mesh", a->file);
    const firn_result result = firn_pc2_read(a->file, &a->pc2, k, mesh.vertices, error);
    if (result == FIRN_OK)
        *out_mesh = mesh;
    else
        firn_mesh_destroy(&mesh);
    return result;
}

static uint64_t cache_hash(const firn_animation* a, int64_t k)
{
    firn_mesh mesh = {0};
    uint64_t hash = a->hash + (uint64_t)k;
    if (cache_key(a, k, &mesh, NULL) == FIRN_OK)
        hash = firn_hash(mesh.vertices, (size_t)mesh.vertex_count * sizeof *mesh.vertices, a->hash);
    firn_mesh_destroy(&mesh);
    return hash;
}

static const source cache_source = {open_cache, cache_time, cache_hash, cache_key};

// --- glTF ----------------------------------------------------------------------------------------

static firn_result open_gltf(firn_animation* a, const firn_animation_def* def, firn_error* error)
{
    FIRN_TRY(firn_gltf_read(def->file, true, def->clip, &a->gltf, error));
    a->node = -1;
    if (def->node != NULL) FIRN_TRY(firn_gltf_find_node(a->gltf, def->node, &a->node, error));
    // Add a last key exactly at the end, unless the previous key differs from it only by rounding.
    const double frames = ceil(a->gltf->duration * a->fps - 1e-4);
    if (!(frames < KEYS_MAX))
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: %g s at %g frames a second are more than %d key frames", def->file,
                         a->gltf->duration, a->fps, KEYS_MAX);
    a->key_count = (int64_t)frames + 1;
    a->hash = firn_hash(&a->node, sizeof a->node, firn_gltf_hash(a->gltf));
    firn_mesh mesh;  // reading it now reports a file without meshes before the run starts
    FIRN_TRY(firn_gltf_pose(a->gltf, 0, a->node, &mesh, error));
    firn_mesh_destroy(&mesh);
    return FIRN_OK;
}

static double gltf_time(const firn_animation* a, int64_t k)
{
    return fmin((double)k / a->fps, a->gltf->duration);
}

static uint64_t gltf_hash(const firn_animation* a, int64_t k)
{
    const double time = gltf_time(a, k);
    return firn_hash(&time, sizeof time, a->hash);
}

static firn_result gltf_key(const firn_animation* a, int64_t k, firn_mesh* out_mesh,
                            firn_error* error)
{
    return firn_gltf_pose(a->gltf, gltf_time(a, k), a->node, out_mesh, error);
}

static const source gltf_source = {open_gltf, gltf_time, gltf_hash, gltf_key};

// --- all of them ---------------------------------------------------------------------------------

static bool ends_with(const char* text, const char* ending)
{
    const size_t n = strlen(text), k = strlen(ending);
    if (n < k) return false;
    for (size_t i = 0; i < k; i++) {
        const char c = text[n - k + i];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != ending[i]) return false;
    }
    return true;
}

bool firn_gltf_is_file(const char* path)
{
    return ends_with(path, ".gltf") || ends_with(path, ".glb");
}

static const source* find_source(const char* file)
{
    if (firn_sequence_is_pattern(file)) return &sequence_source;
    if (ends_with(file, ".pc2")) return &cache_source;
    return firn_gltf_is_file(file) ? &gltf_source : NULL;
}

static firn_result open_source(firn_animation* a, const firn_animation_def* def, firn_error* error)
{
    a->file = firn_strdup(def->file);
    if (a->file == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to open it", def->file);
    a->fps = def->fps;
    a->scale = def->scale > 0 ? def->scale : 1;
    a->z_up = def->z_up;
    a->source = find_source(def->file);
    if (!(def->fps > 0 && def->fps <= 1e6))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "%s: %g frames a second, must be above 0 and at most a million", def->file,
                         def->fps);
    if (a->source == NULL)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: not an animation: expected numbered files ('walk.%%04d.obj'), a "
                         "point cache (.pc2), or .gltf or .glb",
                         def->file);
    return a->source->open(a, def, error);
}

firn_result firn_animation_open(const firn_animation_def* def, firn_animation** out_animation,
                                firn_error* error)
{
    firn_animation* a = firn_alloc(1, sizeof *a);
    if (a == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to open it", def->file);
    const firn_result result = open_source(a, def, error);
    if (result != FIRN_OK) {
        firn_animation_close(a);
        return result;
    }
    *out_animation = a;
    return FIRN_OK;
}

void firn_animation_close(firn_animation* animation)
{
    if (animation == NULL) return;
    firn_mesh_destroy(&animation->rest);
    firn_gltf_destroy(animation->gltf);
    firn_free(animation->file);
    firn_free(animation);
}

int64_t firn_animation_key_count(const firn_animation* animation)
{
    return animation->key_count;
}

double firn_animation_key_time(const firn_animation* animation, int64_t k)
{
    return animation->source->time(animation, k);
}

uint64_t firn_animation_key_hash(const firn_animation* animation, int64_t k)
{
    const uint64_t hash = animation->source->hash(animation, k);
    if (animation->scale == 1 && !animation->z_up) return hash;
    const uint64_t seed = firn_hash(&animation->scale, sizeof animation->scale, hash);
    return firn_hash(&animation->z_up, sizeof animation->z_up, seed);
}

firn_result firn_animation_key(const firn_animation* animation, int64_t k, firn_mesh* out_mesh,
                               firn_error* error)
{
    *out_mesh = (firn_mesh){0};
    if (k < 0 || k >= animation->key_count)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "%s: key frame %lld, there are %lld",
                         animation->file, (long long)k, (long long)animation->key_count);
    FIRN_TRY(animation->source->key(animation, k, out_mesh, error));
    if (animation->scale != 1 || animation->z_up)
        firn_mesh_to_metres(out_mesh, animation->scale, animation->z_up);
    return FIRN_OK;
}
