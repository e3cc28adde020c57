// SPDX-License-Identifier: MIT
#include "mesh/io/gltf_camera.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "mesh/io/gltf.h"

// Bounds against small files that describe long motions or many names: they would take gigabytes
// and minutes.
#define POSES_MAX (1 << 18)                // of a camera: 18 minutes
#define TRANSFORMS_MAX ((int64_t)1 << 23)  // of nodes, evaluated for all poses: about a second
#define NAMES_MAX 300                      // bytes of names that a message lists
#define DEGREES 57.29577951308232

static firn_result no_memory(const char* path, firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to read its camera", path);
}

// ---- finding ------------------------------------------------------------------------------------

// What a file says about cameras.
typedef struct found {
    firn_local node, camera;  // the chosen one; -1: none
    firn_local matches;
    firn_text names;  // owned: of all cameras, the first of them where there are very many
} found;

// `cameras`: the name of the node's camera. The node is read alone, since many may have one camera.
static void look_at_node(const firn_gltf_file* f, firn_local node, firn_local camera,
                         const char* cameras, const char* name, found* out)
{
    const firn_json* json = &f->json;
    char* own =
        firn_json_string(json, firn_json_member(json, f->rows[FIRN_GLTF_NODES][node], "name"));
    if (own == NULL) {
        out->names.failed = true;
        return;
    }
    const char* shown = own[0] != '\0' ? own : cameras;
    if (out->names.length < NAMES_MAX)
        firn_text_add(&out->names, "%s%.60s", out->names.data == NULL ? "" : ", ",
                      shown[0] != '\0' ? shown : "(without a name)");
    if (name == NULL || strcmp(name, own) == 0 || strcmp(name, cameras) == 0) {
        out->matches++;
        out->node = node;
        out->camera = camera;
    }
    firn_free(own);
}

// `names`: of the file's cameras.
static firn_result look_at_nodes(const firn_gltf_file* f, char* const* names, const char* name,
                                 found* out, firn_error* error)
{
    for (firn_local n = 0; n < f->row_count[FIRN_GLTF_NODES]; n++) {
        firn_local camera;
        FIRN_TRY(firn_gltf_index(f, f->rows[FIRN_GLTF_NODES][n], "camera", FIRN_GLTF_CAMERAS,
                                 &camera, error));
        if (camera >= 0) look_at_node(f, n, camera, names[camera], name, out);
    }
    return out->names.failed ? no_memory(f->path, error) : FIRN_OK;
}

static firn_result search(const firn_gltf_file* f, const char* name, found* out, firn_error* error)
{
    const firn_json* json = &f->json;
    const firn_local count = f->row_count[FIRN_GLTF_CAMERAS];
    char** names = firn_alloc((size_t)count + 1, sizeof *names);
    if (names == NULL) return no_memory(f->path, error);
    firn_result result = FIRN_OK;
    for (firn_local k = 0; k < count; k++) {
        const firn_local row = f->rows[FIRN_GLTF_CAMERAS][k];
        names[k] = firn_json_string(json, firn_json_member(json, row, "name"));
        if (names[k] == NULL) result = no_memory(f->path, error);
    }
    if (result == FIRN_OK) result = look_at_nodes(f, names, name, out, error);
    for (firn_local k = 0; k < count; k++) firn_free(names[k]);
    firn_free(names);
    return result;
}

static firn_result find_camera(const firn_gltf_file* f, const char* name, found* out,
                               firn_error* error)
{
    FIRN_TRY(search(f, name, out, error));
    if (out->matches == 1) return FIRN_OK;
    if (out->names.data == NULL)
        return firn_fail(error, FIRN_REFUSED_NAME,
                         "%s: no camera in it: export it with its cameras", f->path);
    if (name == NULL)
        return firn_fail(error, FIRN_REFUSED_NAME, "%s: several cameras, name one of: %s", f->path,
                         out->names.data);
    return firn_fail(error, FIRN_REFUSED_NAME, "%s: %s called '%.60s'; there are: %s", f->path,
                     out->matches > 1 ? "several cameras are" : "no camera is", name,
                     out->names.data);
}

static firn_result read_fov(const firn_gltf_file* f, firn_local camera, double* out_deg,
                            firn_error* error)
{
    const firn_json* json = &f->json;
    const firn_local row = f->rows[FIRN_GLTF_CAMERAS][camera];
    const firn_local lens = firn_json_member(json, row, "perspective");
    double yfov = 0;
    if (lens < 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: cameras[%d] has no 'perspective': orthographic cameras are not "
                         "supported",
                         f->path, (int)camera);
    if (!firn_json_number(json, firn_json_member(json, lens, "yfov"), &yfov) || !(yfov > 0) ||
        !(yfov < 3.14159))
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte %zu: 'yfov' must be a number between 0 and pi", f->path,
                         firn_json_offset(json, lens));
    *out_deg = yfov * DEGREES;
    return FIRN_OK;
}

// ---- poses --------------------------------------------------------------------------------------

static bool normalize(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 1e-12) || !isfinite(length)) return false;
    for (int k = 0; k < 3; k++) v[k] /= length;
    return true;
}

static bool pose_of(const firn_affine* a, double time, firn_gltf_camera_pose* out)
{
    out->time = time;
    for (int k = 0; k < 3; k++) {
        out->eye[k] = a->m[k][3];
        out->forward[k] = -a->m[k][2];
        out->up[k] = a->m[k][1];
    }
    return isfinite(out->eye[0] + out->eye[1] + out->eye[2]) && normalize(out->forward) &&
           normalize(out->up);
}

static firn_local* chain_of(const firn_gltf* g, firn_local node, firn_local* out_count)
{
    firn_local count = 0;
    for (firn_local n = node; n >= 0; n = g->nodes[n].parent) count++;
    firn_local* chain = firn_alloc((size_t)count, sizeof *chain);
    if (chain == NULL) return NULL;
    *out_count = count;
    for (firn_local n = node; n >= 0; n = g->nodes[n].parent) chain[--count] = n;
    return chain;
}

static bool moves(const firn_gltf* g, const firn_local* chain, firn_local count)
{
    for (firn_local k = 0; k < count; k++)
        for (int p = 0; p < FIRN_GLTF_WEIGHTS; p++)
            if (g->nodes[chain[k]].curves[p].count > 0) return true;
    return false;
}

static firn_result read_poses(const firn_gltf* g, firn_local node, firn_gltf_camera* out,
                              firn_error* error)
{
    firn_local length = 0;
    firn_local* chain = chain_of(g, node, &length);
    if (chain == NULL) return no_memory(g->path, error);
    const double steps = moves(g, chain, length) ? ceil(g->duration * FIRN_GLTF_CAMERA_RATE) : 0;
    if (!(steps < POSES_MAX) || steps * length > TRANSFORMS_MAX) {
        firn_free(chain);
        return firn_fail(
            error, FIRN_REFUSED_SCENE,
            "%s: nodes[%d] ('%.60s'), a camera below %d nodes, moves for %g s: shorten "
            "the animation",
            g->path, (int)node, g->nodes[node].name, (int)length - 1, g->duration);
    }
    const firn_local count = (firn_local)steps + 1;
    out->poses = firn_alloc((size_t)count, sizeof *out->poses);
    firn_result result = out->poses != NULL ? FIRN_OK : no_memory(g->path, error);
    for (firn_local k = 0; k < count && result == FIRN_OK; k++) {
        const double time = count > 1 ? g->duration * k / (count - 1) : 0;
        const firn_affine world = firn_gltf_world_of(g, time, chain, length);
        if (!pose_of(&world, time, &out->poses[k]))
            result = firn_fail(error, FIRN_REFUSED_SCENE,
                               "%s: nodes[%d] ('%.60s'), a camera, is scaled to nothing, or beyond "
                               "all numbers, at %g s",
                               g->path, (int)node, g->nodes[node].name, time);
        out->pose_count = k + 1;
    }
    firn_free(chain);
    return result;
}

static firn_result read_file(const firn_gltf_file* f, const char* name, firn_gltf_camera* out,
                             firn_error* error)
{
    found it = {.node = -1, .camera = -1};
    firn_result result = find_camera(f, name, &it, error);
    firn_text_destroy(&it.names);
    if (result == FIRN_OK) result = read_fov(f, it.camera, &out->fov_deg, error);
    if (result != FIRN_OK) return result;
    firn_gltf* g = NULL;
    FIRN_TRY(firn_gltf_read(f->path, f->row_count[FIRN_GLTF_ANIMATIONS] > 0, NULL, &g, error));
    result = read_poses(g, it.node, out, error);
    firn_gltf_destroy(g);
    return result;
}

firn_result firn_gltf_read_camera(const char* path, const char* name, firn_gltf_camera* out_camera,
                                  firn_error* error)
{
    firn_gltf_file file;
    firn_gltf_camera camera = {0};
    FIRN_TRY(firn_gltf_file_open(path, &file, error));
    const firn_result result = read_file(&file, name, &camera, error);
    firn_gltf_file_close(&file);
    if (result == FIRN_OK)
        *out_camera = camera;
    else
        firn_gltf_camera_destroy(&camera);
    return result;
}

void firn_gltf_camera_destroy(firn_gltf_camera* camera)
{
    firn_free(camera->poses);
    *camera = (firn_gltf_camera){0};
}
