// SPDX-License-Identifier: MIT
// The page's module in node: import { loadSimulation } from "./load_node.mjs".
// Emscripten 3.1.6 expects scripts that are not ES modules, and that there is no fetch().
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

// `page`: a folder that tools/web wrote; `name`: "simd".
export async function loadSimulation(page, name) {
    const folder = path.join(page, name);
    globalThis.require = createRequire(import.meta.url);
    globalThis.__dirname = folder;
    delete globalThis.fetch;
    const { default: createFirn } = await import(pathToFileURL(path.join(folder, "firn.js")));
    const script = pathToFileURL(path.join(page, "simulation.js"));
    const { Simulation, createMemory } = await import(script);
    const wasmMemory = createMemory(false);
    const wasmBinary = readFileSync(path.join(folder, "firn.wasm"));
    return new Simulation(await createFirn({ wasmMemory, wasmBinary }), wasmMemory);
}
