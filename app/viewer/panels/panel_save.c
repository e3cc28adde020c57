// SPDX-License-Identifier: MIT
// Files: the scene, the camera, pictures, films.
#include "viewer/panels/panels_parts.h"

void view_panel_save(view_panels* p, view_session* s)
{
    (void)p;
    if (!gui_section("Save", true)) return;
    if (gui_button("Scene", 0.5, "W: with this camera and all changes")) s->wants_scene = true;
    gui_beside();
    if (gui_button("Camera", 0.5, "K: a block `render` for a scene")) s->wants_camera = true;
    if (gui_button("Picture", 0.5, "F12")) s->wants_screenshot = true;
    gui_beside();
    if (gui_button(s->recording ? "End film" : "Film", 0.5, "R")) s->wants_record = true;
}
