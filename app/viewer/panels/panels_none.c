// SPDX-License-Identifier: MIT
// Stand-in for the panels in builds without Dear ImGui.
#include "viewer/panels/panels.h"

view_panels* view_panels_create(view_source* source, const char* dir)
{
    (void)source, (void)dir;
    return NULL;
}

void view_panels_destroy(view_panels* panels)
{
    (void)panels;
}

bool view_panels_event(view_session* s, const view_event* event)
{
    (void)s, (void)event;
    return false;
}

void view_panels_update(view_session* s)
{
    (void)s;
}

const view_gui* view_panels_triangles(const view_session* s)
{
    (void)s;
    return NULL;
}

double view_panels_width(const view_session* s)
{
    (void)s;
    return 0;
}
