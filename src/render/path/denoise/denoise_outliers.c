// SPDX-License-Identifier: MIT
// Outliers, found by comparing the halves: a sample is in one of them only. What both saw stays,
// however small and bright; so does light that is rare everywhere, which the neighbours tell.
#include "render/path/denoise/denoise_outliers.h"

#define REACH 2      // [pixels] neighbours are a square of 5 x 5
#define AGREED 2.0f  // times the brightest that both halves agree on
#define NEIGHBOURS \
    5.0f  // times the neighbours' mean: rare light of chance p in a half is 1 / p means

static float luminance_at(float* const half[3], size_t at)
{
    return firn_rgb_luminance(firn_rgb_of(half[0][at], half[1][at], half[2][at]));
}

// The brightest that is believed of pixel `at`; lit[h]: luminance of the halves.
static float find_limit(float* const lit[2], size_t at, ptrdiff_t down)
{
    float agreed = 0, sum = 0;
    for (ptrdiff_t y = -REACH; y <= REACH; y++)
        for (ptrdiff_t x = -REACH; x <= REACH; x++) {
            const ptrdiff_t q = (ptrdiff_t)at + y * down + x;
            const float a = lit[0][q], b = lit[1][q], least = a < b ? a : b;
            if (least > agreed) agreed = least;
            if (x != 0 || y != 0) sum += a + b;
        }
    const int count = 2 * ((2 * REACH + 1) * (2 * REACH + 1) - 1);
    return AGREED * agreed + NEIGHBOURS * (sum / (float)count);
}

static void cut_row(firn_denoise_planes* planes, float* const lit[2], int32_t y)
{
    for (int32_t x = 0; x < planes->width; x++) {
        const size_t at = firn_denoise_at(planes, x, y);
        const float limit = find_limit(lit, at, planes->stride);
        for (int h = 0; h < 2; h++) {
            if (!(lit[h][at] > limit)) continue;
            const float share = limit / lit[h][at];
            for (int c = 0; c < 3; c++) {
                planes->half[h][c][at] *= share;
                planes->variance[c][at] *= share * share;  // nearly all of it was that sample's
            }
        }
    }
}

void firn_denoise_outliers(firn_denoise_planes* planes, int threads)
{
    float* const lit[2] = {planes->spare[0], planes->spare[1]};
    const int32_t rows = planes->height + 2 * FIRN_DENOISE_BORDER;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t row = 0; row < rows; row++)
        for (int32_t x = 0; x < planes->stride; x++) {
            const size_t at = (size_t)row * (size_t)planes->stride + (size_t)x;
            for (int h = 0; h < 2; h++) lit[h][at] = luminance_at(planes->half[h], at);
        }
        // each row writes its own pixels and reads luminances, which stay
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t y = 0; y < planes->height; y++) cut_row(planes, lit, y);
    for (int c = 0; c < 3; c++) {
        firn_denoise_extend(planes, planes->half[0][c]);
        firn_denoise_extend(planes, planes->half[1][c]);
        firn_denoise_extend(planes, planes->variance[c]);
    }
}
