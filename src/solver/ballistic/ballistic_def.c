// SPDX-License-Identifier: MIT
// The `ballistic` block of a scene: its keys and defaults.
#include "scene/parse/keys.h"
#include "solver/ballistic/ballistic.h"

#define AT(field) offsetof(firn_ballistic_def, field)
// clang-format off
static const firn_key keys[] = {
    {.name = "spacing", .type = FIRN_KEY_REAL, .offset = AT(spacing), .unit = "m", .low = 1e-5,
     .high = 1e3, .fallback = "0.01", .help = "Cell in which particles_per_cell are seeded."},
    {.name = "dt", .type = FIRN_KEY_REAL, .offset = AT(dt), .unit = "s", .low = 1e-6, .high = 1,
     .fallback = "0.002", .help = "Time step."},
};
// clang-format on

static void set_defaults(void* at)
{
    *(firn_ballistic_def*)at = (firn_ballistic_def){.spacing = 0.01, .dt = 0.002};
}

const firn_key_block firn_ballistic_keys = {
    .name = "ballistic",
    .help = "Particles that fall and stop at bodies, without feeling each other.",
    .keys = keys,
    .key_count = sizeof keys / sizeof *keys,
    .size = sizeof(firn_ballistic_def),
    .set_defaults = set_defaults,
};
