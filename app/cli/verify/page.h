// SPDX-License-Identifier: MIT
// The page of a verification: one HTML file with the table and a plot per row, which needs neither
// a server nor a network; and the same tables as Markdown.
#pragma once
#include <stdio.h>

#include "cli/verify/expected.h"

// Writes the page; `plots` is what verify_plot wrote, `backend` where the runs were computed.
void verify_page_write(FILE* stream, const verify_list* list, const char* backend,
                       const char* plots);
// The table as Markdown. `listing`: nothing has run, values and verdicts stay empty.
void verify_page_markdown(FILE* stream, const verify_list* list, bool listing);
// One line for each quantity of compare.csv, with the values of the three solvers.
void verify_compare_markdown(FILE* stream, const verify_list* list);
