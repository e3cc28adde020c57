// SPDX-License-Identifier: MIT
// The bar of panels: its place, its input, and the order of its sections.
#include "viewer/panels/panels.h"

#include <stdlib.h>

#include "viewer/draw/font_atlas.h"
#include "viewer/panels/panels_parts.h"

#define BAR_WIDTH 340.0  // [pixels] at scale 1, as below
#define BAR_MARGIN 10.0
#define BAR_SHARE 0.5  // of the window's width at most

view_panels* view_panels_create(view_source* source, const char* dir)
{
    view_panels* p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->gui = gui_create(font_atlas_file());
    if (!p->gui) {
        free(p);
        return NULL;
    }
    view_history_clear(&p->history);
    p->has_stats = !source->is_live && dir && view_history_read(&p->history, dir);
    return p;
}

void view_panels_destroy(view_panels* p)
{
    if (!p) return;
    gui_destroy(p->gui);
    free(p);
}

double view_panels_width(const view_session* s)
{
    if (!s->panels_on || !s->panels) return 0;
    return fmin((BAR_WIDTH + 2 * BAR_MARGIN) * s->ui, BAR_SHARE * s->width);
}

bool view_panels_event(view_session* s, const view_event* e)
{
    view_panels* p = s->panels;
    if (!p || !s->panels_on) return false;
    const bool inside = e->x >= view_scene_width(s) || gui_wants_mouse(p->gui);
    bool mine = false;
    switch (e->kind) {
    case VIEW_EVENT_CLOSE: return false;
    case VIEW_EVENT_KEY: mine = gui_wants_text(p->gui); break;
    case VIEW_EVENT_PRESS: mine = p->held = s->drag == VIEW_DRAG_NONE && inside; break;
    case VIEW_EVENT_MOVE: mine = p->held; break;
    case VIEW_EVENT_SCROLL: mine = s->drag == VIEW_DRAG_NONE && inside; break;
    case VIEW_EVENT_RELEASE:
        mine = p->held;
        p->held = false;
        break;
    }
    // Clicks elsewhere end the edit of a text field. A button that was pressed is released, also
    // where the press has begun a drag in the scene: else the next click on a panel would be lost.
    const bool watched = e->kind == VIEW_EVENT_PRESS || e->kind == VIEW_EVENT_MOVE;
    if (mine || (watched && s->drag == VIEW_DRAG_NONE) || e->kind == VIEW_EVENT_RELEASE)
        gui_event(p->gui, e);
    return mine;
}

static void build(void* user)
{
    view_panels* p = user;
    view_session* s = p->session;
    const float margin = (float)(BAR_MARGIN * s->ui);
    const float width = (float)view_panels_width(s) - 2 * margin;
    gui_bar_begin((float)s->width - margin - width, margin, width, (float)s->height - 2 * margin);
    view_panel_run(p, s);
    view_panel_colour(p, s);
    view_panel_particle(p, s);
    view_panel_plots(p, s);
    view_panel_scene(p, s);
    view_panel_save(p, s);
    gui_bar_end();
}

static void follow(view_panels* p, view_session* s)
{
    if (p->seen == s->now->version) return;
    p->seen = s->now->version;
    if (s->source->is_live)
        view_history_follow(&p->history, s->now);
    else if (s->now->fragments >= 0)
        view_history_add_fragments(&p->history, s->now->time, (double)s->now->fragments);
}

void view_panels_update(view_session* s)
{
    view_panels* p = s->panels;
    if (!p) return;
    if (p->measuring != s->panels_on && s->source->ops->measure) {
        p->measuring = s->panels_on;
        s->source->ops->measure(s->source, p->measuring);
    }
    follow(p, s);
    if (!s->panels_on) return;
    char text[320];
    if (s->source->ops->refused && s->source->ops->refused(s->source, text, sizeof text))
        view_session_show_message(s, "%s", text);
    p->session = s;
    gui_update(p->gui, s->width, s->height, s->ui, s->clock - p->last, build, p);
    p->last = s->clock;
}

const view_gui* view_panels_triangles(const view_session* s)
{
    return s->panels && s->panels_on ? gui_triangles(s->panels->gui) : NULL;
}
