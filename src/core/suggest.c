// SPDX-License-Identifier: MIT
// "did you mean ...?": optimal string alignment distance between short names.
#include "core/suggest.h"

#include <ctype.h>
#include <string.h>

#define LONGEST 64

static int min2(int a, int b)
{
    return a < b ? a : b;
}

int firn_edit_distance(const char* a, const char* b)
{
    const size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    int row[3][LONGEST + 1];  // the last three rows of the distance table
    for (size_t j = 0; j <= m; j++) row[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int* now = row[i % 3];
        const int* before = row[(i + 2) % 3];
        const int* two_before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            const int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
            now[j] = min2(min2(before[j] + 1, now[j - 1] + 1), before[j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                tolower((unsigned char)a[i - 2]) == cb) {
                now[j] = min2(now[j], two_before[j - 2] + 1);
            }
        }
    }
    return row[n % 3][m];
}

const char* firn_suggest(const char* word, const char* const* names, size_t count)
{
    if (word == NULL || names == NULL) return NULL;
    const char* best = NULL;
    int best_distance = 2 + (int)strlen(word) / 3;
    for (size_t i = 0; i < count; i++) {
        const int d = firn_edit_distance(word, names[i]);
        if (d < best_distance) {
            best_distance = d;
            best = names[i];
        }
    }
    return best;
}
