// SPDX-License-Identifier: MIT
// One row of doubles per collider: exact for single and double precision builds.
#include "output/frame/frame_bodies.h"

#include <math.h>

#include "core/memory.h"

#define PATH "/firn/bodies"
#define COLUMNS "body driver x y z qw qx qy qz scale vx vy vz spin_x spin_y spin_z"
enum { COLUMN_COUNT = 16 };
#define SCALE_MAX 1e6          // the limit of motions; the smallest scale is its inverse
#define QUATERNION_ERROR 1e-3  // rounding of the norm of a unit quaternion

static void row_of(const firn_frame_body* b, double row[COLUMN_COUNT])
{
    const firn_body_pose* p = &b->pose;
    const double values[COLUMN_COUNT] = {
        (double)b->body,       (double)b->driver,     (double)p->position.x, (double)p->position.y,
        (double)p->position.z, (double)p->rotation.w, (double)p->rotation.x, (double)p->rotation.y,
        (double)p->rotation.z, (double)p->scale,      (double)p->velocity.x, (double)p->velocity.y,
        (double)p->velocity.z, (double)p->spin.x,     (double)p->spin.y,     (double)p->spin.z};
    for (int k = 0; k < COLUMN_COUNT; k++) row[k] = values[k];
}

static firn_frame_body body_of(const double row[COLUMN_COUNT])
{
    firn_real r[COLUMN_COUNT];
    for (int k = 0; k < COLUMN_COUNT; k++) r[k] = (firn_real)row[k];
    return (firn_frame_body){.body = (firn_local)row[0],
                             .driver = (firn_body_driver)(int)row[1],
                             .pose = {{r[2], r[3], r[4]},
                                      {r[5], r[6], r[7], r[8]},
                                      r[9],
                                      {r[10], r[11], r[12]},
                                      {r[13], r[14], r[15]}}};
}

// What is wrong with a row that follows collider `before`; null: nothing.
static const char* find_fault(const double row[COLUMN_COUNT], double before)
{
    // also finite as a float
    for (int k = 0; k < COLUMN_COUNT; k++)
        if (!(fabs(row[k]) <= 1e30)) return "is not finite";
    if (!(row[0] > before && row[0] < INT32_MAX && row[0] == floor(row[0])))
        return "is out of order";
    if (row[1] != (double)FIRN_BODY_CALLER && row[1] != (double)FIRN_BODY_FREE)
        return "has an unknown driver";
    const double norm = sqrt(row[5] * row[5] + row[6] * row[6] + row[7] * row[7] + row[8] * row[8]);
    if (!(fabs(norm - 1) <= QUATERNION_ERROR))
        return "has a rotation that is not a unit quaternion";
    if (!(row[9] >= 1 / SCALE_MAX && row[9] <= SCALE_MAX)) return "has a scale out of range";
    return NULL;
}

firn_result firn_frame_bodies_put(firn_h5* h5, const firn_frame_body* bodies, firn_local count)
{
    if (count <= 0) return FIRN_OK;
    double* rows = firn_alloc((size_t)count * COLUMN_COUNT, sizeof *rows);
    if (rows == NULL)
        return firn_fail(h5->error, FIRN_BROKEN_MEMORY,
                         "out of memory writing the %d colliders of '%s'", (int)count, h5->path);
    firn_result result = FIRN_OK;
    for (firn_local k = 0; k < count && result == FIRN_OK; k++) {
        double* row = rows + (size_t)k * COLUMN_COUNT;
        row_of(&bodies[k], row);
        const char* fault = find_fault(row, k > 0 ? (double)bodies[k - 1].body : -1);
        if (fault != NULL)
            result = firn_fail(h5->error, FIRN_REFUSED_ARGUMENT, "'%s': the pose of collider %d %s",
                               h5->path, (int)bodies[k].body, fault);
    }
    const firn_h5_array a = {.path = PATH,
                             .given = FIRN_H5_F64,
                             .stored = FIRN_H5_F64,
                             .rows = count,
                             .columns = COLUMN_COUNT,
                             .data = rows};
    if (result == FIRN_OK) result = firn_h5_put_array(h5, &a);
    if (result == FIRN_OK) result = firn_h5_put_text(h5, PATH, "columns", COLUMNS);
    firn_free(rows);
    return result;
}

static firn_result read_rows(firn_h5_input* h5, const firn_h5_dataset* dataset, double* rows,
                             firn_frame_body* bodies, firn_local count)
{
    FIRN_TRY(firn_h5_get_array(h5, dataset, FIRN_H5_F64, rows));
    for (firn_local k = 0; k < count; k++) {
        const double* row = rows + (size_t)k * COLUMN_COUNT;
        const char* fault = find_fault(row, k > 0 ? row[-COLUMN_COUNT] : -1);
        if (fault != NULL)
            return firn_fail(h5->error, FIRN_REFUSED_DAMAGED,
                             "'%s' is damaged: row %d of '" PATH "' %s", h5->path, (int)k, fault);
        bodies[k] = body_of(row);
    }
    return FIRN_OK;
}

firn_result firn_frame_bodies_get(firn_h5_input* h5, firn_frame_body** out_bodies,
                                  firn_local* out_count)
{
    *out_bodies = NULL;
    *out_count = 0;
    if (!firn_h5_has(h5, PATH)) return FIRN_OK;
    firn_h5_dataset dataset;
    int64_t count = 0;
    FIRN_TRY(firn_h5_measure(h5, PATH, FIRN_H5_F64, COLUMN_COUNT, &dataset, &count));
    double* rows = firn_alloc((size_t)count * COLUMN_COUNT + 1, sizeof *rows);
    firn_frame_body* bodies = firn_alloc((size_t)count + 1, sizeof *bodies);
    firn_result result = rows != NULL && bodies != NULL
                             ? FIRN_OK
                             : firn_fail(h5->error, FIRN_BROKEN_MEMORY,
                                         "out of memory reading the colliders of '%s'", h5->path);
    if (result == FIRN_OK && count > 0)
        result = read_rows(h5, &dataset, rows, bodies, (firn_local)count);
    firn_free(rows);
    if (result != FIRN_OK) {
        firn_free(bodies);
        return result;
    }
    *out_bodies = bodies;
    *out_count = (firn_local)count;
    return FIRN_OK;
}
