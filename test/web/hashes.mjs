// SPDX-License-Identifier: MIT
// State hashes in WebAssembly: hashes.mjs PAGE < list, a JSON list of { yaml, variant, overrides,
// frames }. Prints one hash per line.
import { readFileSync } from "node:fs";
import { loadSimulation } from "./load_node.mjs";

const simulation = await loadSimulation(process.argv[2], "simd");
for (const job of JSON.parse(readFileSync(0, "utf8"))) {
    const loaded = simulation.load(readFileSync(job.yaml, "utf8"), job.variant, job.overrides);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.messages));
    simulation.start({ threads: 1 });
    for (let k = 0; k < job.frames; k++) simulation.frame();
    console.log(simulation.hash());
}
