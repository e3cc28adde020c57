// SPDX-License-Identifier: MIT
// The opening of a row of `firn bench --json`.
#include "cli/bench/bench_json.h"

#include "firn/firn.h"

cli_json cli_bench_json_begin(const char* name)
{
    const firn_version_info version = firn_version();
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "name", name);
    cli_json_text(&json, "version", version.text);
    cli_json_text(&json, "real", version.real);
    return json;
}
