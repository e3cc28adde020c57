// SPDX-License-Identifier: MIT
// Information on this build: presets, solvers, scene reference, version.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/simd/simd.h"
#include "core/text.h"
#include "device/cuda_world.h"
#include "device/device.h"
#include "scene/data/measured.h"
#include "scene/data/presets.h"
#include "scene/write/reference.h"
#include "sim/features.h"
#include "sim/sim.h"

int firn_preset_list_count(void)
{
    return (int)firn_preset_count;
}

firn_result firn_preset_at(int index, firn_preset_info* out_info)
{
    if (out_info == NULL) return FIRN_REFUSED_ARGUMENT;
    if (index < 0 || index >= (int)firn_preset_count) return FIRN_REFUSED_ARGUMENT;
    const firn_preset* p = &firn_presets[index];
    *out_info =
        (firn_preset_info){.name = p->name,
                           .help = p->help,
                           .source = p->source,
                           .material = {.name = p->name,
                                        .preset = p->name,
                                        .density = p->snow.density,
                                        .young = p->snow.young,
                                        .poisson = p->snow.poisson,
                                        .hardening = p->snow.hardening,
                                        .critical_compression = p->snow.critical_compression,
                                        .critical_stretch = p->snow.critical_stretch,
                                        .cookie = FIRN_COOKIE}};
    return FIRN_OK;
}

int firn_measured_list_count(void)
{
    return (int)firn_measured_law_count;
}

firn_result firn_measured_at(int index, firn_measured_info* out_info)
{
    if (out_info == NULL) return FIRN_REFUSED_ARGUMENT;
    if (index < 0 || index >= (int)firn_measured_law_count) return FIRN_REFUSED_ARGUMENT;
    const firn_measured_law* law = &firn_measured_laws[index];
    *out_info = (firn_measured_info){law->constant, law->formula, law->source};
    return FIRN_OK;
}

int firn_solver_list_count(void)
{
    return (int)firn_solver_count;
}

firn_result firn_solver_at(int index, firn_solver_info* out_info)
{
    if (out_info == NULL) return FIRN_REFUSED_ARGUMENT;
    if (index < 0 || index >= (int)firn_solver_count) return FIRN_REFUSED_ARGUMENT;
    *out_info = (firn_solver_info){firn_solvers[index]->name, firn_solvers[index]->help};
    return FIRN_OK;
}

char* firn_reference_markdown(void)
{
    return firn_scene_reference_markdown(firn_scene_solvers, firn_solver_count);
}

char* firn_reference_schema(void)
{
    return firn_scene_reference_schema(firn_scene_solvers, firn_solver_count);
}

void firn_text_free(char* text)
{
    firn_free(text);
}

int firn_device_list(firn_device_info* out_devices, int most, firn_error* out_why)
{
    firn_cuda_world world;
    firn_cuda_world_look(&world);
    int device;
    if (world.count == 0) firn_device_choose(&world, "cuda", &device, out_why);
    const int listed = world.count < FIRN_CUDA_CARDS_MAX ? world.count : FIRN_CUDA_CARDS_MAX;
    for (int d = 0; out_devices != NULL && d < listed && d < most; d++) {
        const firn_cuda_card* card = &world.cards[d];
        out_devices[d] = (firn_device_info){.memory_bytes = card->bytes,
                                            .capability = {card->major, card->minor}};
        snprintf(out_devices[d].backend, sizeof out_devices[d].backend, "cuda:%d", d);
        snprintf(out_devices[d].name, sizeof out_devices[d].name, "%s", card->name);
    }
    return listed;
}

firn_version_info firn_version(void)
{
    firn_simd_choice simd;
    firn_simd_choose(NULL, &simd, NULL);  // every machine has the baseline
    return (firn_version_info){.major = FIRN_VERSION_MAJOR,
                               .minor = FIRN_VERSION_MINOR,
                               .patch = FIRN_VERSION_PATCH,
                               .text = FIRN_VERSION_TEXT,
                               .real = sizeof(firn_real) == 8 ? "double" : "float",
                               .simd = simd.name,
                               .simd_all = firn_simd_names,
                               .backends = firn_device_backends(),
                               .features = firn_features()};
}
