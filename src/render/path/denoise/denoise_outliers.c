// SPDX-License-Identifier: MIT
// Outliers are found by comparing the half buffers, since a sample is in one of them only. Small
// bright details that both have are kept; so is light that is equally rare in the neighbourhood.
#include "render/path/denoise/denoise_outliers.h"

#include "core/threads/team.h"

#define REACH 2          // [pixels] neighbours are a square of 5 x 5
#define AGREED 2.0f      // times the maximum of the minima of both halves
#define NEIGHBOURS 5.0f  // times the neighbours' mean

static float luminance_at(float* const half[3], size_t at)
{
    return firn_rgb_luminance(firn_rgb_of(half[0][at], half[1][at], half[2][at]));
}

// Luminance limit of pixel `at`; luminance[h]: luminance of the halves.
static float find_limit(float* const luminance[2], size_t at, ptrdiff_t down)
{
    float agreed = 0, sum = 0;
    for (ptrdiff_t y = -REACH; y <= REACH; y++)
        for (ptrdiff_t x = -REACH; x <= REACH; x++) {
            const ptrdiff_t q = (ptrdiff_t)at + y * down + x;
            const float a = luminance[0][q], b = luminance[1][q], least = a < b ? a : b;
            if (least > agreed) agreed = least;
            if (x != 0 || y != 0) sum += a + b;
        }
    const int count = 2 * ((2 * REACH + 1) * (2 * REACH + 1) - 1);
    return AGREED * agreed + NEIGHBOURS * (sum / (float)count);
}

static void clamp_row(const firn_denoise_planes* planes, float* const luminance[2], int32_t y)
{
    for (int32_t x = 0; x < planes->width; x++) {
        const size_t at = firn_denoise_at(planes, x, y);
        const float limit = find_limit(luminance, at, planes->stride);
        for (int h = 0; h < 2; h++) {
            if (!(luminance[h][at] > limit)) continue;
            const float share = limit / luminance[h][at];
            for (int c = 0; c < 3; c++) {
                planes->half[h][c][at] *= share;
                planes->variance[c][at] *= share * share;  // the outlier dominates it
            }
        }
    }
}

// Rows of the planes with their border.
static void find_luminances(const void* self, firn_local begin, firn_local end)
{
    const firn_denoise_planes* planes = self;
    for (firn_local row = begin; row < end; row++)
        for (int32_t x = 0; x < planes->stride; x++) {
            const size_t at = (size_t)row * (size_t)planes->stride + (size_t)x;
            for (int h = 0; h < 2; h++) planes->spare[h][at] = luminance_at(planes->half[h], at);
        }
}

// Rows write their own pixels and read luminances, which are constant here.
static void clamp_rows(const void* self, firn_local begin, firn_local end)
{
    const firn_denoise_planes* planes = self;
    for (firn_local y = begin; y < end; y++) clamp_row(planes, planes->spare, y);
}

static void extend_channels(const void* self, firn_local begin, firn_local end)
{
    const firn_denoise_planes* planes = self;
    for (firn_local c = begin; c < end; c++) {
        firn_denoise_extend(planes, planes->half[0][c]);
        firn_denoise_extend(planes, planes->half[1][c]);
        firn_denoise_extend(planes, planes->variance[c]);
    }
}

void firn_denoise_outliers(firn_denoise_planes* planes)
{
    firn_share(planes->height + 2 * FIRN_DENOISE_BORDER, 4, find_luminances, planes);
    firn_share(planes->height, 1, clamp_rows, planes);
    firn_share(3, 1, extend_channels, planes);
}
