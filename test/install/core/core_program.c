// SPDX-License-Identifier: MIT
// A stranger's program on libfirn-core: builds a scene from code, steps it with all three solvers
// and prints the hash of each state. The whole library must print the same. Then snow falls on a
// mesh; libfirn may convert that with OpenVDB, so no hash is printed. What the core does not have
// is refused.
#include <stdio.h>
#include <string.h>

#include "firn/firn.h"

#define TRY(call)                                                         \
    do {                                                                  \
        const firn_result result = (call);                                \
        if (result != FIRN_OK) return fail(#call, result, scene, &error); \
    } while (0)

static int fail(const char* call, firn_result result, const firn_scene* scene,
                const firn_error* error)
{
    fprintf(stderr, "%s: %d\n%s%s\n", call, (int)result, firn_scene_messages(scene), error->text);
    return 1;
}

static int simulate(const char* solver, const char* size_key, const char* size)
{
    firn_error error = {FIRN_OK, ""};
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_shape_id ball, floor;
    TRY(firn_scene_create(&scene));
    TRY(firn_scene_set(scene, "solver", solver));
    TRY(firn_scene_set(scene, size_key, size));
    TRY(firn_scene_set(scene, "gravity", "[0, -9.81, 0]"));
    TRY(firn_scene_sphere(scene, (firn_vec3){0, (firn_real)0.14, 0}, (firn_real)0.1, &ball));
    TRY(firn_scene_plane(scene, (firn_vec3){0, 0, 0}, (firn_vec3){0, 1, 0}, &floor));
    firn_snow_def snow = firn_default_snow_def();
    snow.shape = ball;
    snow.velocity = (firn_vec3){1, -2, 0};
    TRY(firn_scene_add_snow(scene, &snow, NULL));
    firn_collider_def ground = firn_default_collider_def();
    ground.shape = floor;
    TRY(firn_scene_add_collider(scene, &ground, NULL));

    firn_sim_def def = firn_default_sim_def();
    def.threads = 2;
    TRY(firn_sim_create(scene, &def, &sim, &error));
    for (int k = 0; k < 20; k++) {
        const firn_result result = firn_sim_step(sim);
        if (result != FIRN_OK) {
            fprintf(stderr, "%s\n", firn_sim_error(sim));
            return 1;
        }
    }
    const firn_sim_info info = firn_sim_read(sim);
    printf("%s %d particles %016llx\n", solver, (int)info.particle_count,
           (unsigned long long)firn_sim_hash(sim));
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return info.particle_count > 100 ? 0 : 1;
}

// A wedge whose upper side rises with x from 0 to 0.1 m.
static firn_result add_wedge(firn_scene* scene, firn_collider_id* out_id)
{
    static const firn_vec3 vertices[] = {{0, 0, (firn_real)-0.2},
                                         {(firn_real)0.2, 0, (firn_real)-0.2},
                                         {(firn_real)0.2, (firn_real)0.1, (firn_real)-0.2},
                                         {0, 0, (firn_real)0.2},
                                         {(firn_real)0.2, 0, (firn_real)0.2},
                                         {(firn_real)0.2, (firn_real)0.1, (firn_real)0.2}};
    static const int32_t triangles[][3] = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3},
                                           {1, 2, 5}, {1, 5, 4}, {0, 3, 5}, {0, 5, 2}};
    firn_mesh_def mesh = firn_default_mesh_def();
    mesh.vertices = vertices;
    mesh.vertex_count = 6;
    mesh.triangles = triangles[0];
    mesh.triangle_count = 8;
    mesh.voxel = 0.01;
    firn_collider_def wedge = firn_default_collider_def();
    const firn_result result = firn_scene_mesh(scene, &mesh, &wedge.shape);
    if (result != FIRN_OK) return result;
    wedge.position = (firn_vec3){(firn_real)0.1, 0, 0};
    return firn_scene_add_collider(scene, &wedge, out_id);
}

// All snow above the upper side, to a cell of 2 cm; it fell by 15 cm otherwise.
static int look_at_snow(const firn_sim* sim)
{
    firn_field_view at;
    if (firn_sim_field(sim, "position", &at) != FIRN_OK) return 1;
    const firn_vec3* x = at.data;
    int above = 0;
    for (firn_local p = 0; p < at.count; p++)
        above += (double)x[p].y > 0.5 * ((double)x[p].x - 0.1) - 0.02;
    if (at.count > 100 && above == at.count) return 0;
    fprintf(stderr, "%d of %d particles are above the wedge\n", above, (int)at.count);
    return 1;
}

static int fall_on_mesh(void)
{
    firn_error error = {FIRN_OK, ""};
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_collider_id wedge;
    firn_body_mesh drawn;
    firn_snow_def snow = firn_default_snow_def();
    TRY(firn_scene_create(&scene));
    TRY(firn_scene_set(scene, "mpm.cell", "0.02"));
    TRY(firn_scene_sphere(scene, (firn_vec3){(firn_real)0.2, (firn_real)0.13, 0}, (firn_real)0.05,
                          &snow.shape));
    snow.velocity = (firn_vec3){0, -3, 0};
    TRY(firn_scene_add_snow(scene, &snow, NULL));
    TRY(add_wedge(scene, &wedge));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 2;
    TRY(firn_sim_create(scene, &def, &sim, &error));
    firn_advance done;
    TRY(firn_sim_advance_by(sim, 0.05, 0, &done));
    TRY(firn_sim_body_mesh(sim, wedge, &drawn, &error));
    const int failed = look_at_snow(sim) != 0 || drawn.triangle_count < 8;
    printf("snow lies on a mesh: %s\n", failed ? "no" : "yes");
    firn_body_mesh_free(&drawn);
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return failed;
}

// What the core does without is refused with a sentence that says where it is.
static int refuse(void)
{
#ifdef FIRN_CORE
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_text_def word = firn_default_text_def();
    firn_snow_def snow = firn_default_snow_def();
    firn_sim_def def = firn_default_sim_def();
    firn_shape_id shape;
    word.text = "snow";
    def.output_dir = "runs";
    if (firn_scene_create(&scene) != FIRN_OK) return 1;
    const bool has_sphere =
        firn_scene_sphere(scene, (firn_vec3){0, 1, 0}, 1, &snow.shape) == FIRN_OK &&
        firn_scene_add_snow(scene, &snow, NULL) == FIRN_OK;
    const bool no_words = firn_scene_text(scene, &word, &shape) == FIRN_REFUSED_BACKEND &&
                          strstr(firn_last_error(), "libfirn") != NULL;
    const bool no_vdb =
        firn_scene_level_set(scene, "a.vdb", NULL, &shape) == FIRN_REFUSED_BACKEND &&
        strstr(firn_last_error(), "libfirn") != NULL;
    const bool no_files = firn_sim_create(scene, &def, &sim, NULL) == FIRN_REFUSED_BACKEND &&
                          strstr(firn_last_error(), "libfirn") != NULL;
    const bool no_yaml = firn_scene_load_text(scene, "firn: 1\n", "text", NULL) != FIRN_OK &&
                         strstr(firn_last_error(), "FIRN_CORE_YAML") != NULL;
    firn_scene_destroy(scene);
    if (has_sphere && no_words && no_vdb && no_files && no_yaml) return 0;
    fprintf(stderr, "not refused: words %d, vdb %d, files %d, yaml %d\n", !no_words, !no_vdb,
            !no_files, !no_yaml);
    return 1;
#else
    return 0;
#endif
}

int main(void)
{
    return refuse() != 0 || simulate("mpm", "mpm.cell", "0.02") != 0 ||
           simulate("sph", "sph.spacing", "0.01") != 0 ||
           simulate("grains", "grains.radius", "5 mm") != 0 || fall_on_mesh() != 0;
}
