// SPDX-License-Identifier: MIT
// Output files of a film.
#include "render/path/develop.h"

#include <math.h>

#include "core/memory.h"
#include "math/random.h"
#include "render/image/tone_map.h"

// Width of each sRGB code in linear light.
static void find_widths(float widths[256])
{
    for (int code = 0; code < 256; code++) {
        const int low = code > 0 ? code - 1 : 0, high = code < 255 ? code + 1 : 255;
        widths[code] = (firn_tone_linear((uint8_t)high) - firn_tone_linear((uint8_t)low)) /
                       (float)(high - low);
    }
}

// sRGB code with dithering by up to half a code, which avoids banding in smooth skies and preserves
// means. All channels of a pixel use the same `dither` (-0.5 .. 0.5), so that the hue is unchanged.
static uint8_t dithered(const firn_tone* tone, const float widths[256], float x, float dither)
{
    const uint8_t code = firn_tone_code(tone, x);
    if (!(x > 0) || !(x < 1)) return code;
    return firn_tone_code(tone, x + dither * widths[code]);
}

firn_result firn_film_image(const firn_film_layers* layers, double exposure, int32_t tone,
                            firn_image* out_image, firn_error* error)
{
    firn_tone* codes = firn_alloc(1, sizeof *codes);
    if (codes == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory to tone a picture");
    firn_image image;
    const firn_result result = firn_image_create(&image, layers->width, layers->height, error);
    if (result != FIRN_OK) {
        firn_free(codes);
        return result;
    }
    firn_tone_init(codes);
    float widths[256];
    find_widths(widths);
    const float gain = (float)exp2(exposure);
    const float* const light[3] = {layers->r, layers->g, layers->b};
    const size_t pixels = (size_t)layers->width * (size_t)layers->height;
    for (size_t i = 0; i < pixels; i++) {
        const float dither = (float)firn_random_unit(0, i) - 0.5f;
        float x[3];  // bounded: curves are inf / inf for infinite light
        for (int c = 0; c < 3; c++) x[c] = fminf(gain * light[c][i], 1e6f);
        const firn_rgb shown = firn_tone_map(tone, firn_rgb_of(x[0], x[1], x[2]));
        image.rgb[3 * i] = dithered(codes, widths, shown.r, dither);
        image.rgb[3 * i + 1] = dithered(codes, widths, shown.g, dither);
        image.rgb[3 * i + 2] = dithered(codes, widths, shown.b, dither);
    }
    firn_free(codes);
    *out_image = image;
    return FIRN_OK;
}

#define OWN_CHANNELS 15
#define LIGHT_CHANNELS 6
#define MORE_CHANNELS 32  // at most

firn_result firn_film_write_exr(const char* path, const firn_film_layers* layers,
                                const firn_film_extra* extra, const firn_exr_text* texts,
                                size_t text_count, firn_error* error)
{
    const firn_film_layers* l = layers;
    firn_exr_channel channels[OWN_CHANNELS + LIGHT_CHANNELS + MORE_CHANNELS] = {
        {"R", l->r, false},
        {"G", l->g, false},
        {"B", l->b, false},
        {"A", l->a, false},
        {"Z", l->depth, false},
        {"albedo.R", l->albedo_r, true},
        {"albedo.G", l->albedo_g, true},
        {"albedo.B", l->albedo_b, true},
        {"N.X", l->normal_x, true},
        {"N.Y", l->normal_y, true},
        {"N.Z", l->normal_z, true},
        {"variance.R", l->variance_r, false},
        {"variance.G", l->variance_g, false},
        {"variance.B", l->variance_b, false},
        {"samples", l->samples, false},
        {"direct.R", l->direct_r, false},
        {"direct.G", l->direct_g, false},
        {"direct.B", l->direct_b, false},
        {"indirect.R", l->indirect_r, false},
        {"indirect.G", l->indirect_g, false},
        {"indirect.B", l->indirect_b, false},
    };
    size_t count = OWN_CHANNELS + (extra != NULL && extra->light ? LIGHT_CHANNELS : 0);
    const size_t more = extra != NULL ? extra->more_count : 0;
    FIRN_ASSERT(more <= MORE_CHANNELS);
    for (size_t k = 0; k < more; k++) channels[count++] = extra->more[k];
    return firn_exr_write(path, l->width, l->height, channels, count, texts, text_count, error);
}
