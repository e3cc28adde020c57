// SPDX-License-Identifier: MIT
// Targets level_set, texture and wind: the three uses of .vdb files.
#include <math.h>

#include "core/memory.h"
#include "fuzz/fuzz.h"
#include "geometry/levelset/level_set_mesh.h"
#include "geometry/levelset/texture.h"
#include "geometry/levelset/velocity_volume.h"

bool firn_fuzz_level_set(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(firn_fuzz_cap(size));
    const firn_level_set* set = NULL;
    firn_error error;
    const firn_result result =
        firn_level_set_from_vdb(firn_fuzz_file("vdb", data, size), NULL, &set, &error);
    firn_fuzz_check(result, &error);
    if (result == FIRN_OK) {
        firn_fuzz_require(isfinite(firn_level_set_volume(set)), "the volume is not finite");
        firn_level_set_release(set);
    }
    firn_fuzz_end(&run);
    return result == FIRN_OK;
}

bool firn_fuzz_texture(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(firn_fuzz_cap(size));
    firn_texture texture = {0};
    firn_error error;
    const firn_result result =
        firn_texture_read(firn_fuzz_file("vdb", data, size), NULL, &texture, &error);
    firn_fuzz_check(result, &error);
    if (result == FIRN_OK)
        for (int k = 0; k < 8; k++) {
            const firn_vec3 x = firn_v3((firn_real)(0.1 * k), (firn_real)(0.2 * k), 0);
            firn_fuzz_require(isfinite(firn_texture_sample(&texture, x)), "a value is not finite");
        }
    firn_texture_destroy(&texture);
    firn_fuzz_end(&run);
    return result == FIRN_OK;
}

bool firn_fuzz_wind(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(firn_fuzz_cap(size));
    const firn_velocity_volume* volume = NULL;
    firn_error error;
    const firn_result result =
        firn_velocity_volume_read(firn_fuzz_file("vdb", data, size), NULL, &volume, &error);
    firn_fuzz_check(result, &error);
    if (result == FIRN_OK) {
        for (int k = 0; k < 8; k++) {
            const firn_vec3 x = firn_v3((firn_real)(0.1 * k), (firn_real)(0.2 * k), 0);
            const firn_vec3 v = firn_velocity_volume_sample(volume, x, firn_v3(1, 0, 0));
            firn_fuzz_require(firn_v3_is_finite(v), "a velocity is not finite");
        }
        firn_velocity_volume_release(volume);
    }
    firn_fuzz_end(&run);
    return result == FIRN_OK;
}
