// SPDX-License-Identifier: MIT
// What the page's module refuses, and how: refusals.mjs PAGE. A page gets text and numbers of
// anyone; each mistake must be a sentence, and the module must go on.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { loadSimulation } from "./load_node.mjs";

const demo = path.join(import.meta.dirname, "..", "..", "scenes", "demo");
const read = (name) => readFileSync(path.join(demo, name, "scene.yaml"), "utf8");
const simulation = await loadSimulation(process.argv[2], "simd");

// Texts: line, column and a word of the message.
const BAD = [
    ["", 1, 1, "firn: 1"],
    ["{[}\n:::", 1, 3, "mismatched"],
    ["a: " + "[".repeat(50000), 1, 204, "nested too deeply"],
    ["firn: 1\nmpm: {cel: 1}\n", 2, 7, "cell"],
    ["firn: 1\n\nsnow: 3\n", 3, 7, "list"],
    [read("siggraph"), 14, 44, "font"],
];
for (const [yaml, line, column, word] of BAD) {
    const { ok, messages } = simulation.load(yaml);
    assert.equal(ok, false);
    const first = messages[0];
    assert.deepEqual([first.line, first.column, first.kind], [line, column, "error"]);
    assert.ok(messages[0].text.includes(word), messages[0].text);
}
const huge = simulation.load(read("snowball-drop"), "", ["mpm.cell=0.0004"]);
assert.ok(!huge.ok && huge.messages[0].text.includes("GiB"), "more memory than a page has");
assert.equal(simulation.load(read("snowball-drop"), "no-such-variant").ok, false);

// Numbers: refused with a sentence, and nothing has changed.
assert.ok(simulation.load(read("snowball-drop"), "draft", ["mpm.cell=0.03"]).ok);
simulation.start({ room: 20000 });
const before = simulation.hash();
const refused = (call, word) => assert.throws(call, (e) => e.code > 0 && e.message.includes(word));
refused(() => simulation.setTemperature(3), "heat");
refused(() => simulation.throwBall([NaN, 0, 0], [0, 0, 0], 0.1), "finite");
refused(() => simulation.throwBall([0, 1, 0], [0, 0, 0], -1), "radius");
refused(() => simulation.throwBall([0, 1, 0], [0, 0, 0], 1e5), "particles");
refused(() => simulation.setGravity([0, 1e9, 0]), "gravity");
refused(() => simulation.advance(NaN, 0), "");
refused(() => simulation.body(99), "");
assert.equal(simulation.hash(), before);

// And it goes on: snow is thrown, tools move.
const { count } = simulation.state();
simulation.throwBall([0, 0.9, 0], [0, -3, 0], 0.06);
assert.ok(simulation.state().count > count);
const ball = simulation.tool(0, [0.3, 0.1, 0], 0, 0.1);
simulation.pull(ball, [-0.2, 0.1, 0], 3);
for (let k = 0; k < 20; k++) simulation.advance(0.002, 0);
assert.ok(simulation.body(ball).position[0] < 0.3);
console.log("refusals: ok");
