// SPDX-License-Identifier: MIT
// Writes one frame of a run in all formats that the scene requests.
#pragma once
#include "output/frame/frame.h"
#include "run/run_folder.h"

firn_frame_info firn_run_frame_info(const firn_sim* sim);
// `file` is relative to the output folder. All other files that are written are added to the
// manifest; `folder->preview` becomes the path of the picture.
firn_result firn_run_frame_write(firn_run_folder* folder, const char* file);
