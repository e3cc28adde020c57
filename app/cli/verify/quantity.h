// SPDX-License-Identifier: MIT
// Quantities of a series: FUNCTION(COLUMN) between two times. Functions: first, last, min, max,
// mean, ratio (last over first), rate (least-squares slope over time [1/s]).
#pragma once
#include "cli/verify/expected.h"
#include "cli/verify/series.h"

// Sets value, holds and, where there is no value, why.
void verify_quantity_evaluate(const verify_series* series, verify_row* row);
// The column of a quantity: text of up to `size` bytes.
void verify_quantity_column(const char* quantity, char* out_column, size_t size);
