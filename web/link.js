// SPDX-License-Identifier: MIT
// The page's end of the line to the simulation's worker: messages, and requests with answers.

export class Link {
    #worker;
    #waiting = new Map();
    #next = 1;

    // `handlers`: functions by type of message.
    constructor(handlers) {
        this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
        this.#worker.onmessage = ({ data }) => {
            const waiting = this.#waiting.get(data.id);
            if (waiting !== undefined) {
                this.#waiting.delete(data.id);
                if (data.type === "problem") waiting.reject(new Error(data.text));
                else waiting.resolve(data);
            }
            if (data.type !== "problem" || waiting === undefined) handlers[data.type]?.(data);
        };
        this.#worker.onerror = (event) => {
            const text = event.message || "the simulation's worker could not be started";
            handlers.problem({ text });
        };
    }

    close() {
        this.#worker.terminate();
    }

    send(type, message = {}, transfer = []) {
        this.#worker.postMessage({ type, ...message }, transfer);
    }

    ask(type, message = {}) {
        const id = this.#next++;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject });
            this.send(type, { id, ...message });
        });
    }
}
