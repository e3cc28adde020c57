// SPDX-License-Identifier: MIT
// Figures of the page for bench/RESULTS.md: page_bench.mjs URL BROWSER [repeats]. The time until
// the first picture, steps per second of 20 thousand grains on one and on two threads, and of mpm.
// The same steps are repeated, on one and on two threads in turn, and of each step the fastest
// repeat counts: what else runs on the machine only makes them slower.
import { readFileSync } from "node:fs";
import path from "node:path";
import { launch, openPage } from "./browser.mjs";

const [url, name, repeats = "24"] = process.argv.slice(2);
const LOADS = 7, STEPS = 30, SETTLE = 10;
const scenes = path.join(import.meta.dirname, "..", "..", "scenes", "demo");
const read = (scene) => readFileSync(path.join(scenes, scene, "scene.yaml"), "utf8");
const JOBS = [
    { what: "grains", yaml: read("weights"), variant: "", overrides: ["grains.radius=0.0605"] },
    { what: "mpm", yaml: read("snowball-drop"), variant: "draft", overrides: [] },
];

const browser = await launch(name);
const pictures = [];
for (let k = 0; k < LOADS; k++) {
    const { page } = await openPage(browser, url);
    pictures.push(await page.evaluate(() =>
        performance.getEntriesByName("first-picture")[0].startTime / 1000));
    await page.close();
}
const [first, ...later] = pictures;
later.sort((a, b) => a - b);
console.log(`first picture after ${first.toFixed(2)} s in a new browser, then ` +
    `${later[0].toFixed(2)} to ${later.at(-1).toFixed(2)} s, ` +
    `median ${later[LOADS >> 1].toFixed(2)} s`);

const { page } = await openPage(browser, url);
await page.evaluate(() => window.firn.link.send("play", { playing: false }));
const ask = (job) => page.evaluate((j) => window.firn.link.ask("bench", j), job);
for (const job of JOBS) {
    const best = [0, 1, 2].map(() => Array(STEPS).fill(Infinity));
    let particles = 0;
    for (let k = 0; k < Number(repeats); k++) {
        for (const useThreads of [1, 2]) {
            const { times, count } =
                await ask({ ...job, steps: STEPS, settle: SETTLE, useThreads });
            best[useThreads] = best[useThreads].map((t, step) => Math.min(t, times[step]));
            particles = count;
        }
    }
    const [, one, two] = best.map((times) => STEPS / times.reduce((sum, t) => sum + t, 0));
    console.log(`${job.what}, ${particles} particles: ${one.toFixed(0)} steps/s on one thread, ` +
        `${two.toFixed(0)} on two, ${(two / one).toFixed(2)} times`);
}
await browser.close();
