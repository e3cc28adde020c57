// SPDX-License-Identifier: MIT
// Block `camera` of `render`: a position, key frames, or the camera of a glTF file.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "mesh/io/gltf_camera.h"
#include "scene/data/scene.h"
#include "scene/keys/blocks.h"
#include "scene/parse/reader.h"

#define FOV 35  // [degrees]

static void set_camera_key_defaults(void* at)
{
    *(firn_camera_key*)at = (firn_camera_key){.fov_deg = 0};  // 0: the camera's, by finish_camera
}

// Of a camera by name; that of the scene is part of the block `render`, with its defaults.
static void set_camera_defaults(void* at)
{
    *(firn_render_block*)at = (firn_render_block){.fov_deg = FOV};
}

static bool is_same(const double* a, const double* b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Without a position of its own, the camera starts at its first key.
static void use_first_key(const firn_doc_node* node, firn_render_block* render)
{
    const firn_camera_key* first = &render->camera_keys[0];
    if (firn_doc_find(node, "eye") == NULL) memcpy(render->eye, first->eye, sizeof first->eye);
    if (firn_doc_find(node, "look_at") == NULL)
        memcpy(render->look_at, first->look_at, sizeof first->look_at);
}

// ---- the camera of a glTF file ------------------------------------------------------------------

// [m] along the camera's axis to `look_at`: focus, and the fineness of snow. Behind the camera: its
// distance from the eye.
static double axis_distance(const firn_gltf_camera_pose* pose, const double look_at[3])
{
    double along = 0, square = 0;
    for (int i = 0; i < 3; i++) {
        const double way = look_at[i] - pose->eye[i];
        along += way * pose->forward[i];
        square += way * way;
    }
    if (along > 1e-3) return along;
    return square > 1e-6 ? sqrt(square) : 1;
}

static bool make_track(firn_render_block* render, const firn_gltf_camera* camera)
{
    firn_free(render->camera_track);
    render->camera_track_count = 0;
    render->camera_track = firn_alloc((size_t)camera->pose_count, sizeof *render->camera_track);
    if (render->camera_track == NULL) return false;
    const double distance = axis_distance(&camera->poses[0], render->look_at);
    for (firn_local k = 0; k < camera->pose_count; k++) {
        const firn_gltf_camera_pose* pose = &camera->poses[k];
        firn_camera_key* key = &render->camera_track[k];
        *key = (firn_camera_key){.time = pose->time, .fov_deg = camera->fov_deg};
        for (int i = 0; i < 3; i++) {
            key->eye[i] = pose->eye[i];
            key->look_at[i] = pose->eye[i] + distance * pose->forward[i];
            key->up[i] = pose->up[i];
        }
    }
    render->camera_track_count = camera->pose_count;
    memcpy(render->eye, render->camera_track[0].eye, sizeof render->eye);
    memcpy(render->look_at, render->camera_track[0].look_at, sizeof render->look_at);
    render->fov_deg = camera->fov_deg;
    return true;
}

static void read_camera_file(firn_scene_reader* r, const firn_doc_node* node,
                             firn_render_block* render)
{
    firn_gltf_camera camera;
    firn_error error = {0};
    const firn_doc_node* file = firn_doc_find(node, "file");
    const firn_result read =
        firn_gltf_read_camera(render->camera_file, render->camera_name, &camera, &error);
    if (!firn_read_check(r, file != NULL ? file : node, read, &error)) return;
    if (!make_track(render, &camera)) r->out_of_memory = true;
    firn_gltf_camera_destroy(&camera);
}

// ---- the camera ---------------------------------------------------------------------------------

static void finish_pose(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                        bool valid)
{
    (void)at;
    firn_render_block* render = item;
    if (!valid) return;
    for (int32_t k = 0; k < render->camera_key_count; k++)
        if (render->camera_keys[k].fov_deg == 0) render->camera_keys[k].fov_deg = render->fov_deg;
    if (render->camera_file != NULL) {
        read_camera_file(r, node, render);
        return;
    }
    if (firn_doc_find(node, "keys") != NULL && render->camera_key_count > 0) {
        use_first_key(node, render);
    } else if (!r->partial) {
        static const char* const needed[] = {"eye", "look_at"};
        for (int i = 0; i < 2; i++) {
            if (firn_doc_find(node, needed[i]) != NULL) continue;
            firn_doc_key_error(r->doc, node, "'camera' needs the key '%s', or 'keys'", needed[i]);
            return;
        }
    }
    if (is_same(render->eye, render->look_at))
        firn_doc_key_error(r->doc, node, "'eye' and 'look_at' must be two different points");
}

// The scene's camera, or one of `cameras`, which is checked and forgotten: --camera puts it in the
// place of the scene's before reading.
static void finish_camera(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                          bool valid)
{
    firn_render_block* render = item;
    finish_pose(r, node, item, at, valid);
    if (render == &r->scene->render) return;
    firn_free(render->camera_track);
    render->camera_track = NULL;
}

static void finish_camera_key(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                              bool valid)
{
    const firn_camera_key* key = item;
    const firn_rows* rows = at;
    if (!valid) return;
    if (is_same(key->eye, key->look_at))
        firn_doc_error(r->doc, node, "'eye' and 'look_at' must be two different points");
    if (rows->count == 0) return;
    const firn_camera_key* before = (const firn_camera_key*)firn_rows_items(rows) + rows->count - 1;
    if (!(key->time > before->time))
        firn_doc_error(r->doc, node,
                       "camera keys must be in order of time: %g s does not come after %g s",
                       key->time, before->time);
}

// ---- tables -------------------------------------------------------------------------------------

_Static_assert(FIRN_ROWS_FIT(firn_render_block, camera_key_count, camera_keys), "rows");
#define AT(field) offsetof(firn_camera_key, field)
static const firn_key camera_key_keys[] = {
    {"time", FIRN_KEY_REAL, AT(time), "s", -1e6, 1e6, NULL, NULL, NULL,
     "Time of the key; later than the key before."},
    {"eye", FIRN_KEY_VEC3, AT(eye), "m", -1e6, 1e6, NULL, NULL, NULL, "Position of the camera."},
    {"look_at", FIRN_KEY_VEC3, AT(look_at), "m", -1e6, 1e6, NULL, NULL, NULL,
     "The point in the centre of the picture."},
    {"fov", FIRN_KEY_REAL, AT(fov_deg), "deg", 1, 170, "the camera's", NULL, NULL,
     "Vertical field of view."},
};
static const firn_key_block camera_key = {"camera key",
                                          "Pose of the camera at one time.",
                                          camera_key_keys,
                                          FIRN_KEY_COUNT(camera_key_keys),
                                          sizeof(firn_camera_key),
                                          set_camera_key_defaults,
                                          finish_camera_key};

#undef AT
#define AT(field) offsetof(firn_render_block, field)
static const firn_key camera_keys[] = {
    {"eye", FIRN_KEY_VEC3, AT(eye), "m", -1e6, 1e6, "that of the first of 'keys'", NULL, NULL,
     "Position of the camera; required without 'keys'."},
    {"look_at", FIRN_KEY_VEC3, AT(look_at), "m", -1e6, 1e6, "that of the first of 'keys'", NULL,
     NULL, "The point in the centre of the picture; required without 'keys'."},
    {"fov", FIRN_KEY_REAL, AT(fov_deg), "deg", 1, 170, "35", NULL, NULL, "Vertical field of view."},
    {"file", FIRN_KEY_PATH, AT(camera_file), NULL, 0, 0, "none", NULL, NULL,
     "A glTF file (.gltf, .glb) whose camera this is, moving with the file's animations; in the "
     "place of 'eye', 'fov' and 'keys'. 'look_at' then only says at which distance it looks."},
    {"name", FIRN_KEY_TEXT, AT(camera_name), NULL, 0, 0, "the only one", NULL, NULL,
     "Name of the camera in 'file', or of its node."},
    {"lens", FIRN_KEY_REAL, AT(lens), "m", 0, 10, "0", NULL, NULL,
     "Diameter of the aperture; 0: everything is in focus."},
    {"focus", FIRN_KEY_REAL, AT(focus), "m", 0, 1e6, "0", NULL, NULL,
     "Focus distance; 0: that of 'look_at'."},
    {"keys", FIRN_KEY_ROWS, AT(camera_key_count), NULL, 0, FIRN_CAMERA_KEYS_MAX, "none", NULL,
     &camera_key,
     "Key frames of a moving camera, interpolated smoothly; at rest before the first and after the "
     "last."},
};
const firn_key_block firn_camera_keys = {"camera",
                                         "Position, direction and lens of the camera.",
                                         camera_keys,
                                         FIRN_KEY_COUNT(camera_keys),
                                         sizeof(firn_render_block),
                                         set_camera_defaults,
                                         finish_camera};
