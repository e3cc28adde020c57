// SPDX-License-Identifier: MIT
#include "output/export/stage.h"

#include <string.h>

#include "core/memory.h"

static void destroy_mesh(firn_body_mesh* mesh)
{
    firn_free(mesh->vertices);
    firn_free(mesh->normals);
    firn_free(mesh->triangles);
}

void firn_stage_destroy(firn_stage* stage)
{
    for (firn_local b = 0; b < stage->body_count; b++) {
        firn_stage_body* body = &stage->bodies[b];
        const firn_local meshes = body->deforms ? stage->sample_count : 1;
        for (firn_local k = 0; k < meshes && body->meshes != NULL; k++)
            destroy_mesh(&body->meshes[k]);
        firn_free(body->meshes);
        firn_free(body->poses);
    }
    for (firn_local k = 0; k < stage->sample_count && stage->points != NULL; k++) {
        firn_free(stage->points[k].position);
        firn_free(stage->points[k].velocity);
        firn_free(stage->points[k].id);
        firn_free(stage->points[k].width);
    }
    firn_free(stage->bodies);
    firn_free(stage->frames);
    firn_free(stage->times);
    firn_free(stage->views);
    firn_free(stage->points);
    *stage = (firn_stage){0};
}

bool firn_stage_body_moves(const firn_stage* stage, const firn_stage_body* body)
{
    for (firn_local k = 1; k < stage->sample_count; k++)
        if (memcmp(&body->poses[k], &body->poses[0], sizeof *body->poses) != 0) return true;
    return false;
}
