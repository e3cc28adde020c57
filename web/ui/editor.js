// SPDX-License-Identifier: MIT
// The scene's text, with firn's messages at their lines. Checks as one types; runs on demand.

const PAUSE = 350;  // [ms] without a key until the text is checked

export class Editor {
    #text = document.getElementById("yaml");
    #lines = document.getElementById("lines");
    #messages = document.getElementById("messages");
    #timer = 0;

    // `check(text)` gives messages; `run(text)` starts it.
    constructor(check, run) {
        this.#text.addEventListener("input", () => {
            this.#number([]);
            clearTimeout(this.#timer);
            this.#timer = setTimeout(async () => this.show(await check(this.#text.value)), PAUSE);
        });
        this.#text.addEventListener("scroll", () => {
            this.#lines.scrollTop = this.#text.scrollTop;
        });
        this.#text.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run(this.#text.value);
            event.stopPropagation();  // letters are text here, not commands
        });
        document.getElementById("run").addEventListener("click", () => run(this.#text.value));
        this.#messages.addEventListener("click", (event) => {
            const { line, column } = event.target.closest("button")?.dataset ?? {};
            if (line > 0) this.#goTo(Number(line), Number(column));
        });
    }

    set text(text) {
        clearTimeout(this.#timer);
        this.#text.value = text;
        this.#text.scrollTop = 0;
        this.show([]);
    }

    get text() {
        return this.#text.value;
    }

    // Line numbers, those with messages marked.
    #number(messages) {
        const count = this.#text.value.split("\n").length;
        const kinds = new Map(messages.map((m) => [m.line, m.kind]));
        this.#lines.replaceChildren(...Array.from({ length: count }, (_, k) => {
            if (!kinds.has(k + 1)) return document.createTextNode(`${k + 1}\n`);
            const mark = document.createElement("b");
            mark.className = kinds.get(k + 1);
            mark.textContent = k + 1;
            return mark;
        }));
        this.#lines.scrollTop = this.#text.scrollTop;
    }

    show(messages) {
        this.#number(messages);
        this.#messages.replaceChildren(...messages.map((message) => {
            const button = document.createElement("button");
            button.type = "button";
            button.className = message.kind;
            button.dataset.line = message.line;
            button.dataset.column = message.column;
            button.textContent = (message.line > 0 ? `Line ${message.line}: ` : "") + message.text;
            const item = document.createElement("li");
            item.append(button);
            return item;
        }));
        this.#text.setAttribute("aria-invalid", String(messages.some((m) => m.kind === "error")));
    }

    #goTo(line, column) {
        const above = this.#text.value.split("\n").slice(0, line - 1);
        const before = above.reduce((sum, text) => sum + text.length + 1, 0);
        this.#text.focus();
        this.#text.setSelectionRange(before + column - 1, before + column - 1);
        const height = parseFloat(getComputedStyle(this.#text).lineHeight);
        this.#text.scrollTop = Math.max((line - 4) * height, 0);
    }
}
