// SPDX-License-Identifier: MIT
// The panel beside the picture: tabs, and the list of scenes.

const TABS = ["scenes", "constants", "yaml"];
const byId = (id) => document.getElementById(id);

export class Panel {
    constructor() {
        TABS.forEach((name) =>
            byId(`tab-${name}`).addEventListener("click", () => this.choose(name)));
        document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
            const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            const now = TABS.findIndex((name) => byId(`tab-${name}`) === document.activeElement);
            if (way === undefined || now < 0) return;
            const next = TABS[(now + way + TABS.length) % TABS.length];
            this.choose(next);
            byId(`tab-${next}`).focus();
        });
        byId("open").addEventListener("click", () => this.toggle());
        byId("close").addEventListener("click", () => {
            this.toggle(false);
            byId("open").focus();
        });
    }

    toggle(open = !document.body.classList.contains("open")) {
        document.body.classList.toggle("open", open);
        byId("open").setAttribute("aria-expanded", String(open));
    }

    choose(chosen) {
        for (const name of TABS) {
            const tab = byId(`tab-${name}`);
            tab.setAttribute("aria-selected", String(name === chosen));
            tab.tabIndex = name === chosen ? 0 : -1;
            byId(`pane-${name}`).hidden = name !== chosen;
        }
    }

    // `items`: of gallery.json. `choose(name)` is called with the name of the chosen one.
    setGallery(items, choose) {
        byId("gallery").replaceChildren(...items.map((item) => {
            const button = document.createElement("button");
            const title = document.createElement("strong"), solver = document.createElement("em");
            const help = document.createElement("span");
            button.type = "button";
            button.dataset.scene = item.name;
            title.textContent = item.title;
            solver.textContent = item.solver;
            help.textContent = item.help;
            title.append(solver);
            button.append(title, help);
            button.addEventListener("click", () => choose(item.name));
            const entry = document.createElement("li");
            entry.append(button);
            return entry;
        }));
    }

    markScene(name) {
        document.querySelectorAll("#gallery button").forEach((button) =>
            button.setAttribute("aria-current", String(button.dataset.scene === name)));
    }
}
