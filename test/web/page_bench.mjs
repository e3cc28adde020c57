// SPDX-License-Identifier: MIT
// Figures of the page for bench/RESULTS.md: page_bench.mjs URL BROWSER [repeats]. The time until
// the first picture, steps per second of 20 thousand grains on one and on two threads, and of mpm.
// The best of many short repeats: what else runs on the machine only makes them worse.
import { readFileSync } from "node:fs";
import path from "node:path";
import { launch, openPage } from "./browser.mjs";

const [url, name, repeats = "60"] = process.argv.slice(2);
const LOADS = 7, ROUNDS = 4;
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
    `${later[0].toFixed(2)} to ${later.at(-1).toFixed(2)} s, median ${later[LOADS >> 1].toFixed(2)} s`);

const { page } = await openPage(browser, url);
await page.evaluate(() => window.firn.link.send("play", { playing: false }));
const ask = (job) => page.evaluate((j) => window.firn.link.ask("bench", j), job);
for (const job of JOBS) {
    const best = [0, 0, 0];
    let particles = 0;
    for (let round = 0; round < ROUNDS; round++) {  // in turn, so that both meet the same machine
        for (const useThreads of [1, 2]) {
            const more = { steps: 4, repeats: Number(repeats), settle: 10, useThreads };
            const { rate, count } = await ask({ ...job, ...more });
            best[useThreads] = Math.max(best[useThreads], rate);
            particles = count;
        }
    }
    console.log(`${job.what}, ${particles} particles: ${best[1].toFixed(0)} steps/s on one thread, ` +
        `${best[2].toFixed(0)} on two, ${(best[2] / best[1]).toFixed(2)} times`);
}
await browser.close();
