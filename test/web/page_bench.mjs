// SPDX-License-Identifier: MIT
// Figures of the page for bench/RESULTS.md: page_bench.mjs URL BROWSER [repeats]. Steps per second of 20
// thousand grains on one and on two threads, of mpm, and the time until the first picture. The best
// of short repeats: what else runs on the machine only makes them worse.
import { readFileSync } from "node:fs";
import path from "node:path";
import { launch, openPage } from "./browser.mjs";

const [url, name, repeats = "10"] = process.argv.slice(2);
const scenes = path.join(import.meta.dirname, "..", "..", "scenes", "demo");
const read = (scene) => readFileSync(path.join(scenes, scene, "scene.yaml"), "utf8");
const JOBS = [
    { what: "grains, 20 thousand", yaml: read("weights"), variant: "", overrides: ["grains.radius=0.0605"] },
    { what: "mpm, 8 thousand", yaml: read("snowball-drop"), variant: "draft", overrides: [] },
];
const browser = await launch(name);
let picture = Infinity;
for (let k = 0; k < 5; k++) {
    const { page } = await openPage(browser, url);
    picture = Math.min(picture, await page.evaluate(() => performance.getEntriesByName("first-picture")[0].startTime));
    await page.close();
}
console.log(`first picture after ${(picture / 1000).toFixed(2)} s (best of 5 loads)`);
const { page } = await openPage(browser, url);
await page.evaluate(() => window.firn.link.send("play", { playing: false }));
for (const job of JOBS) {
    const best = [0, 0, 0];
    let particles = 0;
    for (let round = 0; round < 6; round++) {  // in turn, so that both meet the same machine
        for (const useThreads of [1, 2]) {
            const more = { steps: 4, repeats: Number(repeats), settle: 10, useThreads };
            const { rate, count } = await page.evaluate((j) => window.firn.link.ask("bench", j), { ...job, ...more });
            best[useThreads] = Math.max(best[useThreads], rate);
            particles = count;
        }
    }
    console.log(`${job.what}: ${particles} particles, ${best[1].toFixed(1)} steps/s on one thread, ` +
        `${best[2].toFixed(1)} on two: ${(best[2] / best[1]).toFixed(2)} times`);
}
await browser.close();
