// SPDX-License-Identifier: MIT
// Files of stages: glTF read again by firn's own reader and by assimp, what glTF cannot hold, odd
// names, full disks. Whole runs are in test/cli/export_stage.sh.
#include "output/export/stage.h"

#include <math.h>

#include "mesh/io/animation.h"
#include "mesh/mesh.h"
#include "output/sample.h"
#ifdef FIRN_HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/scene.h>
#endif

#define SAMPLES 4
#define FPS 24.0

static firn_vec3 corners[SAMPLES][4] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
static firn_vec3 normals[4] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 2}, {0, 0, 0}};
static int32_t sides[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static int32_t others[12] = {0, 1, 2, 0, 1, 3, 0, 3, 2, 1, 2, 3};

typedef struct sample_stage {
    firn_stage stage;
    firn_stage_body bodies[3];
    firn_stage_pose poses[3][SAMPLES];
    firn_body_mesh meshes[3][SAMPLES];
    int64_t frames[SAMPLES];
    double times[SAMPLES];
    firn_stage_view views[SAMPLES];
    firn_stage_points points[SAMPLES];
} sample_stage;

// A tetrahedron that moves, turns and grows, one that deforms, and one that rests.
static void make_stage(sample_stage* s)
{
    *s = (sample_stage){.stage = {.scene = "a", .fps = FPS, .aspect = 1.5, .sun = {0, 1, 0}}};
    for (int b = 0; b < 3; b++) {
        s->bodies[b] = (firn_stage_body){.meshes = s->meshes[b], .poses = s->poses[b]};
        snprintf(s->bodies[b].name, sizeof s->bodies[b].name, "collider_%d", b);
        s->bodies[b].deforms = b == 1;
        for (int k = 0; k < SAMPLES; k++) {
            const double half = 0.2 * k;
            s->poses[b][k] = (firn_stage_pose){{0, 0, 1}, {1, 0, 0, 0}, 1};
            if (b == 0)
                s->poses[b][k] =
                    (firn_stage_pose){{(firn_real)k, (firn_real)(0.5 * k * k), 2},
                                      {(firn_real)cos(half), 0, 0, (firn_real)sin(half)},
                                      (firn_real)(1 + 0.25 * k)};
            for (int c = 0; c < 4; c++) corners[k][c] = corners[0][c];
            corners[k][3].z = (firn_real)(1 + k);
            s->meshes[b][k] = (firn_body_mesh){.vertices = corners[b == 1 ? k : 0],
                                               .normals = b == 0 ? normals : NULL,
                                               .vertex_count = 4,
                                               .triangles = sides,
                                               .triangle_count = 4};
        }
    }
    for (int k = 0; k < SAMPLES; k++) {
        s->frames[k] = 10 + k;
        s->times[k] = (10 + k) / FPS;
        s->views[k] = (firn_stage_view){{0, 0, 5 + k}, {0, 0, 0}, 40};
    }
    s->stage.frames = s->frames;
    s->stage.times = s->times;
    s->stage.views = s->views;
    s->stage.points = s->points;
    s->stage.sample_count = SAMPLES;
    s->stage.bodies = s->bodies;
    s->stage.body_count = 3;
}

static void write_glb(const sample_stage* s, const char* path)
{
    firn_error error;
    if (firn_stage_glb_write(path, &s->stage, &error) != FIRN_OK) fail_msg("%s", error.text);
}

#define GLB FIRN_TEST_TMP "/stage.glb"

static void check_pose(firn_vec3 x, firn_quat q, double scale, const firn_stage_pose* p)
{
    assert_near((double)x.x, (double)p->position.x, 1e-6);
    assert_near((double)x.y, (double)p->position.y, 1e-6);
    assert_near((double)x.z, (double)p->position.z, 1e-6);
    const double same = (double)(q.w * p->rotation.w + q.x * p->rotation.x + q.y * p->rotation.y +
                                 q.z * p->rotation.z);
    assert_near(fabs(same), 1, 1e-6);  // floats
    assert_near(scale, (double)p->scale, 1e-6);
}

static void glb_is_read_again(void** state)
{
    (void)state;
    static sample_stage s;
    make_stage(&s);
    write_glb(&s, GLB);
    firn_mesh mesh;
    firn_error error;
    if (firn_mesh_read(GLB, &mesh, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_int_equal(mesh.triangle_count, 12);
    firn_mesh_destroy(&mesh);
    firn_node_key* keys;
    firn_local count;
    if (firn_animation_node_path(GLB, NULL, "collider_0", &keys, &count, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    int found = 0;
    for (firn_local k = 0; k < count; k++)
        for (int n = 0; n < SAMPLES; n++)
            if (fabs(keys[k].time - s.times[n]) < 1e-6) {
                check_pose(keys[k].position, keys[k].rotation, (double)keys[k].scale,
                           &s.poses[0][n]);
                found++;
            }
    assert_int_equal(found, SAMPLES);
    firn_free(keys);
}

#ifdef FIRN_HAVE_ASSIMP
static void assimp_reads_it_too(void** state)
{
    (void)state;
    static sample_stage s;
    make_stage(&s);
    write_glb(&s, GLB);
    const struct aiScene* scene = aiImportFile(GLB, 0);
    if (scene == NULL) fail_msg("assimp: %s", aiGetErrorString());
    assert_int_equal(scene->mNumMeshes, 3);
    assert_int_equal(scene->mMeshes[1]->mNumAnimMeshes, SAMPLES - 1);
    assert_int_equal(scene->mNumAnimations, 1);
    const struct aiAnimation* clip = scene->mAnimations[0];
    assert_at_least(clip->mNumChannels, 1);
    const struct aiNodeAnim* path = NULL;
    for (unsigned c = 0; c < clip->mNumChannels; c++)
        if (strcmp(clip->mChannels[c]->mNodeName.data, "collider_0") == 0)
            path = clip->mChannels[c];
    assert_non_null(path);
    assert_int_equal(path->mNumPositionKeys, SAMPLES);
    assert_int_equal(path->mNumRotationKeys, SAMPLES);
    assert_int_equal(path->mNumScalingKeys, SAMPLES);
    for (int k = 0; k < SAMPLES; k++) {
        const struct aiVector3D x = path->mPositionKeys[k].mValue;
        const struct aiQuaternion q = path->mRotationKeys[k].mValue;
        check_pose(firn_v3((firn_real)x.x, (firn_real)x.y, (firn_real)x.z),
                   (firn_quat){(firn_real)q.w, (firn_real)q.x, (firn_real)q.y, (firn_real)q.z},
                   (double)path->mScalingKeys[k].mValue.x, &s.poses[0][k]);
        assert_near(path->mPositionKeys[k].mTime / clip->mTicksPerSecond, s.times[k], 1e-6);
    }
    aiReleaseImport(scene);
}
#endif

static void changing_triangles_do_not_fit_gltf(void** state)
{
    (void)state;
    static sample_stage s;
    make_stage(&s);
    assert_null(firn_stage_glb_misfit(&s.stage, &s.bodies[1]));
    s.meshes[1][2].triangles = others;
    const char* why = firn_stage_glb_misfit(&s.stage, &s.bodies[1]);
    assert_non_null(why);
    assert_contains(why, "use usd");
    write_glb(&s, GLB);
    firn_mesh mesh;
    firn_error error;
    assert_int_equal(firn_mesh_read(GLB, &mesh, &error), FIRN_OK);
    assert_int_equal(mesh.triangle_count, 8);  // without it
    firn_mesh_destroy(&mesh);
    assert_int_equal(firn_stage_usd_write(FIRN_TEST_TMP "/a.usda", &s.stage, false, &error),
                     FIRN_OK);
    size_t size;
    char* text = sample_bytes(FIRN_TEST_TMP "/a.usda", &size);
    assert_contains(text, "int[] faceVertexIndices.timeSamples = {");
    assert_contains(text, "11: [0, 2, 1, ");
    assert_contains(text, "12: [0, 1, 2, ");
    assert_contains(text, "startTimeCode = 10\n");
    assert_contains(text, "float focusDistance.timeSamples");  // the camera moves
    firn_free(text);
}

static void odd_names(void** state)
{
    (void)state;
    static sample_stage s;
    firn_error error;
    make_stage(&s);
    s.stage.has_volumes = true;
    snprintf(s.stage.scene, sizeof s.stage.scene, "snow \"ball\" @home/%%d\xc3\xa4");
    const char* path = FIRN_TEST_TMP "/odd.usda";
    assert_int_equal(firn_stage_usd_write(path, &s.stage, true, &error), FIRN_OK);
    size_t size;
    char* text = sample_bytes(path, &size);
    assert_contains(text, "doc = \"firn: snow \\\"ball\\\" @home/%d\xc3\xa4\"\n");
    assert_contains(text, "@@@./vdb/");
    assert_contains(text, ".0013.vdb@@@,\n");
    assert_contains(text, "upAxis = \"Z\"\n");
    firn_free(text);
}

static void empty_stages_and_full_disks(void** state)
{
    (void)state;
    static sample_stage s;
    firn_error error;
    make_stage(&s);
    s.stage.body_count = 0;
    write_glb(&s, GLB);
    assert_int_equal(firn_stage_usd_write(FIRN_TEST_TMP "/none.usda", &s.stage, false, &error),
                     FIRN_OK);
    s.stage.body_count = 3;
    const char* full = FIRN_TEST_TMP "/none/stage.glb";
    assert_int_equal(firn_stage_glb_write(full, &s.stage, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "stage.glb");
    assert_int_equal(firn_stage_usd_write(full, &s.stage, false, &error), FIRN_REFUSED_IO);
    for (int k = 0; k < 2; k++) {
        const char* path = k == 0 ? FIRN_TEST_TMP "/new.glb" : FIRN_TEST_TMP "/new.usda";
        disk_limit(1000);
        const firn_result r = k == 0 ? firn_stage_glb_write(path, &s.stage, &error)
                                     : firn_stage_usd_write(path, &s.stage, false, &error);
        disk_limit(RLIM_INFINITY);
        assert_int_equal(r, FIRN_REFUSED_IO);
        assert_contains(error.text, path);
        assert_false(sample_exists(path));
        disk_no_temporary(path);
    }
}

int test_stage(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(glb_is_read_again),
#ifdef FIRN_HAVE_ASSIMP
                                       cmocka_unit_test(assimp_reads_it_too),
#endif
                                       cmocka_unit_test(changing_triangles_do_not_fit_gltf),
                                       cmocka_unit_test(odd_names),
                                       cmocka_unit_test(empty_stages_and_full_disks)};
    return cmocka_run_group_tests_name("stage", tests, NULL, NULL);
}
