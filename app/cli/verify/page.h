// SPDX-License-Identifier: MIT
// The page of a verification: one HTML file with the table and a plot per row, which needs neither
// a server nor a network.
#pragma once
#include <stdio.h>

#include "cli/verify/expected.h"
#include "cli/verify/series.h"

// Draws the column of a row over time, with its reference, as SVG.
void verify_page_plot(FILE* stream, const verify_row* row, const verify_series* series);
// Writes the page; `plots` is what verify_page_plot wrote.
void verify_page_write(FILE* stream, const verify_list* list, const char* plots);
// The table as Markdown.
void verify_page_markdown(FILE* stream, const verify_list* list);
