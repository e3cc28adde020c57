// SPDX-License-Identifier: MIT
// Target scene: the parser with the keys of all solvers. What was understood is written so that it
// is understood again, as the same scene.
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "fuzz/fuzz.h"
#include "scene/data/scene.h"
#include "scene/parse/parse.h"
#include "sim/scene/scene_api.h"

#define CAP ((uint64_t)1 << 30)  // [bytes] a few words may ask for large level sets

static void parse_again(const firn_scene_data* scene)
{
    firn_scene_data again;
    firn_diagnostics none = {0};
    const firn_result result =
        firn_scene_parse_text(scene->effective, strlen(scene->effective), "again.yaml",
                              firn_scene_solvers, firn_solver_count, NULL, &again, &none);
    firn_fuzz_require(result == FIRN_OK, "the effective scene is refused");
    firn_fuzz_require(again.hash == scene->hash, "the effective scene is another one");
    firn_scene_data_destroy(&again);
    firn_diagnostics_destroy(&none);
}

// What follows a zero byte is taken as an override.
bool firn_fuzz_scene(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(CAP);
    char* text = firn_fuzz_copy(data, size);
    const size_t length = strlen(text);
    const char* set = text + length + 1;
    const firn_scene_options options = {.overrides = &set, .override_count = length < size};
    firn_scene_data scene;
    firn_diagnostics diagnostics = {0};
    const firn_result result =
        firn_scene_parse_text(text, length, "fuzz.yaml", firn_scene_solvers, firn_solver_count,
                              &options, &scene, &diagnostics);
    if (result == FIRN_OK) {
        firn_scene_data_check(&scene, &diagnostics);
        parse_again(&scene);
        firn_scene_data_destroy(&scene);
    } else {
        firn_fuzz_require(result == FIRN_BROKEN_MEMORY || diagnostics.error_count > 0,
                          "a refusal has no message");
    }
    firn_free(firn_diagnostics_text(&diagnostics));
    firn_diagnostics_destroy(&diagnostics);
    free(text);
    firn_fuzz_end(&run);
    return result == FIRN_OK;
}
