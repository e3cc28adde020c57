// SPDX-License-Identifier: MIT
// Quantities of a series: FUNCTION(COLUMN) between two times. Functions: first, last, min, max,
// mean, change (last less first), ratio (last over first), rate (least-squares slope over time
// [1/s]); and times [s]: time_of_min, time_of_max, time(COLUMN<VALUE) (when it first is),
// rest(COLUMN<VALUE) (from when on it stays so), the last two also with >.
#pragma once
#include "cli/verify/expected.h"
#include "cli/verify/series.h"

// Sets value, holds and, where there is no value, why.
void verify_quantity_evaluate(const verify_series* series, verify_row* row);
// Whether the quantity is a time, not a value of its column.
bool verify_quantity_is_time(const char* quantity);
// The column of a quantity: text of up to `size` bytes.
void verify_quantity_column(const char* quantity, char* out_column, size_t size);
