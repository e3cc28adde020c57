// SPDX-License-Identifier: MIT
// Blocks `time` and `output`: duration, frames and files.
#include "scene/data/output_block.h"
#include "scene/data/scene.h"
#include "scene/keys/blocks.h"
#include "state/field_table.h"

static void set_time_defaults(void* at)
{
    *(firn_time_block*)at = (firn_time_block){.frames = 96, .fps = 24};
}

static void set_output_defaults(void* at)
{
    *(firn_output_block*)at = (firn_output_block){.points = FIRN_POINTS_VTKHDF,
                                                  .fields = firn_output_fields_default,
                                                  .compression = 1,
                                                  .checkpoint_every = 1,
                                                  .checkpoint_keep = 2,
                                                  .stats = true,
                                                  .preview = true,
                                                  .film = true};
}

static const char* const points[] = {"vtkhdf", "ply", "vtp", NULL};
static const char* const volumes[] = {"vdb", NULL};

#define AT(field) offsetof(firn_time_block, field)
static const firn_key time_keys[] = {
    {"frames", FIRN_KEY_INT, AT(frames), "frames", 1, 1e6, "96", NULL, NULL,
     "Number of frames after frame 0."},
    {"fps", FIRN_KEY_REAL, AT(fps), "1/s", 0.1, 1e5, "24", NULL, NULL, "Frames per second."},
    {"first", FIRN_KEY_INT, AT(first), "frames", 0, 1e6, "0", NULL, NULL,
     "Number of the first frame, below `frames`: time begins at first / fps, as with `firn run "
     "--from`. Emitters have given by then what was due."},
};

#undef AT
#define AT(field) offsetof(firn_output_block, field)
static const firn_key checkpoint_keys[] = {
    {"every", FIRN_KEY_INT, AT(checkpoint_every), "frames", 0, 1e6, "1", NULL, NULL,
     "Frames between full states; 0: only at the end and when interrupted. One of more than 64 MB "
     "is left out while another is being written."},
    {"keep", FIRN_KEY_INT, AT(checkpoint_keep), NULL, 1, 1000, "2", NULL, NULL,
     "Number of full states kept on disk."},
};
static const firn_key_block checkpoint = {"checkpoint",
                                          "Full states, from which a run can be resumed.",
                                          checkpoint_keys,
                                          FIRN_KEY_COUNT(checkpoint_keys),
                                          sizeof(firn_output_block),
                                          NULL,
                                          NULL};
static const firn_key output_keys[] = {
    {"points", FIRN_KEY_FLAGS, AT(points), NULL, 0, 0, "[vtkhdf]", points, NULL,
     "Particle files written per frame; vtkhdf is the cache itself."},
    {"volume", FIRN_KEY_FLAGS, AT(volume), NULL, 0, 0, "[]", volumes, NULL,
     "Volume files written per frame."},
    {"fields", FIRN_KEY_FLAGS, AT(fields), NULL, 0, 0,
     "[velocity, density, mass, id, radius, phase, broken]", firn_output_field_keys, NULL,
     "What frames and particle files hold besides positions, where the solver has it; see Fields."},
    {"compression", FIRN_KEY_INT, AT(compression), NULL, 0, 9, "1", NULL, NULL,
     "Deflate level of frames: 0 is fast and large, 9 slow and small."},
    {"checkpoint", FIRN_KEY_BLOCK, 0, NULL, 0, 0, "as below", NULL, &checkpoint,
     "Full states, from which a run can be resumed."},
    {"voxel", FIRN_KEY_REAL, AT(voxel), "m", 0, 1e3, "0", NULL, NULL,
     "Voxel size of the volume; 0: half the solver's cell."},
    {"stats", FIRN_KEY_BOOL, AT(stats), NULL, 0, 0, "true", NULL, NULL,
     "Write stats.csv with one row per step."},
    {"preview", FIRN_KEY_BOOL, AT(preview), NULL, 0, 0, "true", NULL, NULL,
     "Write a preview picture of each frame."},
    {"film", FIRN_KEY_BOOL, AT(film), NULL, 0, 0, "true", NULL, NULL,
     "Encode the pictures as an .mp4 at the end."},
};

const firn_key_block firn_time_keys = {"time",
                                       "Length of the simulation and frame rate.",
                                       time_keys,
                                       FIRN_KEY_COUNT(time_keys),
                                       sizeof(firn_time_block),
                                       set_time_defaults,
                                       NULL};
const firn_key_block firn_output_keys = {
    "output",
    "What is written to disk. It may change between a run and its --resume.",
    output_keys,
    FIRN_KEY_COUNT(output_keys),
    sizeof(firn_output_block),
    set_output_defaults,
    NULL};
