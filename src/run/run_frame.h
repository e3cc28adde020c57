// SPDX-License-Identifier: MIT
// Writes one frame of a run in all formats that the scene requests.
#pragma once
#include "output/frame/frame.h"
#include "run/frame_drawing.h"
#include "run/run_folder.h"

// A frame that is being written. Particles are borrowed from the simulation, which must not change
// them until the end.
typedef struct firn_run_frame {
    firn_frame whole;    // with all fields; density and bodies owned
    firn_real* density;  // owned
    firn_frame_drawing drawing;
} firn_run_frame;

firn_frame_info firn_run_frame_info(const firn_sim* sim);
// Writes the frame to `file`, relative to the output folder, and the scene's other formats, which
// it adds to the manifest; on a device, other cores draw the picture meanwhile. Call end in any
// case.
firn_result firn_run_frame_write(firn_run_folder* folder, const char* file,
                                 firn_run_frame* out_frame);
// Saves the picture, if the scene requests one, and adds it to the manifest; `folder->preview`
// becomes its path.
firn_result firn_run_frame_write_picture(firn_run_folder* folder, firn_run_frame* frame);
void firn_run_frame_end(firn_run_frame* frame);
