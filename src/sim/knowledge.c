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
#include "sim/defs.h"
#include "sim/features.h"
#include "sim/sim.h"

int firn_preset_list_count(void)
{
    return (int)firn_preset_count;
}

firn_result firn_preset_at_sized(int index, firn_preset_info* out_info, uint32_t size)
{
    firn_error* error = firn_call(NULL);
    if (out_info == NULL) return firn_call_null(__func__);
    if (index < 0 || index >= (int)firn_preset_count)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "there is no number %d: there are %d, from 0", index,
                         (int)firn_preset_count);
    const firn_preset* p = &firn_presets[index];
    firn_material_def material = firn_default_material_def();
    material.name = p->name;
    material.preset = p->name;
    material.density = p->snow.density;
    material.young = p->snow.young;
    material.poisson = p->snow.poisson;
    material.hardening = p->snow.hardening;
    material.critical_compression = p->snow.critical_compression;
    material.critical_stretch = p->snow.critical_stretch;
    const firn_preset_info info = {p->name, p->help, p->source, material};
    firn_give(out_info, size, &info, sizeof info);
    return FIRN_OK;
}

int firn_measured_list_count(void)
{
    return (int)firn_measured_law_count;
}

firn_result firn_measured_at(int index, firn_measured_info* out_info)
{
    firn_error* error = firn_call(NULL);
    if (out_info == NULL) return firn_call_null(__func__);
    if (index < 0 || index >= (int)firn_measured_law_count)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "there is no number %d: there are %d, from 0", index,
                         (int)firn_measured_law_count);
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
    firn_error* error = firn_call(NULL);
    if (out_info == NULL) return firn_call_null(__func__);
    if (index < 0 || index >= (int)firn_solver_count)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "there is no number %d: there are %d, from 0", index,
                         (int)firn_solver_count);
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

int firn_device_list_sized(firn_device_info* out_devices, uint32_t size, int most,
                           firn_error* out_why)
{
    firn_cuda_world world;
    firn_cuda_world_look(&world);
    int device;
    if (world.count == 0) firn_device_choose(&world, "cuda", &device, out_why);
    const int listed = world.count < FIRN_CUDA_CARDS_MAX ? world.count : FIRN_CUDA_CARDS_MAX;
    for (int d = 0; out_devices != NULL && d < listed && d < most; d++) {
        const firn_cuda_card* card = &world.cards[d];
        firn_device_info info = {.memory_bytes = card->bytes,
                                 .capability = {card->major, card->minor}};
        snprintf(info.backend, sizeof info.backend, "cuda:%d", d);
        snprintf(info.name, sizeof info.name, "%s", card->name);
        firn_give((char*)out_devices + (size_t)d * size, size, &info, sizeof info);
    }
    return listed;
}

void firn_version_sized(firn_version_info* out_info, uint32_t size)
{
    firn_simd_choice simd;
    firn_simd_choose(NULL, &simd, NULL);  // every machine has the baseline
    const firn_version_info info = {.major = FIRN_VERSION_MAJOR,
                                    .minor = FIRN_VERSION_MINOR,
                                    .patch = FIRN_VERSION_PATCH,
                                    .text = FIRN_VERSION_TEXT,
                                    .real = sizeof(firn_real) == 8 ? "double" : "float",
                                    .simd = simd.name,
                                    .simd_all = firn_simd_names,
                                    .backends = firn_device_backends(),
                                    .features = firn_features()};
    firn_give(out_info, size, &info, sizeof info);
}
