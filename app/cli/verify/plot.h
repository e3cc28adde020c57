// SPDX-License-Identifier: MIT
// Plots of a verification, as parts of an HTML page.
#pragma once
#include <stdio.h>

#include "cli/verify/expected.h"
#include "cli/verify/series.h"

// Draws the column of a row over time, with its reference, as SVG.
void verify_plot(FILE* stream, const verify_row* row, const verify_series* series);
// Writes text with the characters escaped that HTML would read as its own.
void verify_put_text(FILE* stream, const char* text);
