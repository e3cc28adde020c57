// SPDX-License-Identifier: MIT
// libFuzzer target for the scene parser. Not part of the build; by hand:
//     clang -std=gnu17 -g -O1 -fsanitize=fuzzer,address,undefined -fopenmp -I include -I src -I
//     test \
//         -I test/scene test/fuzz/fuzz_scene.c src/core/*.c src/shape/*.c src/scene/*.c \
//         -lfyaml -lxxhash -lpng -lm -o fuzz_scene
//     mkdir corpus && cp scenes/*/*/scene.yaml corpus && ./fuzz_scene -timeout=5 -rss_limit_mb=1024
//     corpus
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "scene/data/scene.h"
#include "scene/parse/diagnostics.h"
#include "scene/parse/parse.h"

typedef struct fuzz_def {
    double cell;
    int32_t integrator;
    char* note;
} fuzz_def;

static void set_defaults(void* at)
{
    *(fuzz_def*)at = (fuzz_def){.cell = 0.01};
}

static const char* const integrators[] = {"explicit", "semi-implicit", NULL};
static const firn_key keys[] = {
    {.name = "cell",
     .type = FIRN_KEY_REAL,
     .offset = offsetof(fuzz_def, cell),
     .unit = "m",
     .low = 1e-5,
     .high = 10,
     .fallback = "0.01",
     .help = "Grid spacing."},
    {.name = "integrator",
     .type = FIRN_KEY_ENUM,
     .offset = offsetof(fuzz_def, integrator),
     .choices = integrators,
     .fallback = "explicit",
     .help = "How steps are taken."},
    {.name = "note",
     .type = FIRN_KEY_TEXT,
     .offset = offsetof(fuzz_def, note),
     .fallback = "none",
     .help = "A text."},
};
static const firn_key_block block = {.name = "mpm",
                                     .help = "A toy.",
                                     .keys = keys,
                                     .key_count = FIRN_KEY_COUNT(keys),
                                     .size = sizeof(fuzz_def),
                                     .set_defaults = set_defaults};

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// The last line, behind a zero byte, is taken as an override.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const firn_scene_solver solver = {"mpm", &block};
    char* text = malloc(size + 1);
    if (text == NULL) return 0;
    for (size_t i = 0; i < size; i++) text[i] = (char)data[i];
    text[size] = 0;
    size_t length = 0;
    while (length < size && text[length] != 0) length++;
    const char* set = text + length + 1;
    const firn_scene_options options = {.overrides = &set, .override_count = length < size};
    firn_scene_data scene;
    firn_diagnostics diagnostics = {0};
    if (firn_scene_parse_text(text, length, "fuzz.yaml", &solver, 1, &options, &scene,
                              &diagnostics) == FIRN_OK) {
        firn_scene_data_check(&scene, &diagnostics);
        // What was understood is written so that it is understood again, as the same scene.
        firn_scene_data again;
        firn_diagnostics none = {0};
        if (firn_scene_parse_text(scene.effective, strlen(scene.effective), "again.yaml", &solver,
                                  1, NULL, &again, &none) != FIRN_OK ||
            again.hash != scene.hash)
            abort();
        firn_scene_data_destroy(&again);
        firn_diagnostics_destroy(&none);
        firn_scene_data_destroy(&scene);
    }
    firn_free(firn_diagnostics_text(&diagnostics));
    firn_diagnostics_destroy(&diagnostics);
    free(text);
    if (firn_memory_read().bytes != 0) abort();
    return 0;
}
