// SPDX-License-Identifier: MIT
// The page in a browser: page_test.mjs URL BROWSER [FOLDER for screenshots]. What a visitor does:
// looks, drags, throws, moves sliders, makes mistakes in YAML, shares, turns a phone.
import { check, end, launch, openPage } from "./browser.mjs";

const [url, name, folder] = process.argv.slice(2);
const browser = await launch(name);
const { page, complaints } = await openPage(browser, `${url}#scene=sphere-drop`);
const shot = (what) => folder &&
    page.screenshot({ path: `${folder}/${name}-${what}.png`, timeout: 60000 });
const frames = () => page.evaluate(() => window.firn.frames);
const state = () => page.evaluate(() => window.firn.state);
const wait = (condition, argument) => page.waitForFunction(condition, argument, { timeout: 60000 });
const pause = async () => {
    if (await page.getAttribute("#play", "aria-pressed") === "true") await page.click("#play");
};
// Coarse picture: mean colours of a grid of cells, so that noise of single pixels does not count.
const look = () => page.evaluate(async () => {
    const before = window.firn.pictures;
    window.firn.redraw();
    while (window.firn.pictures === before) await new Promise((done) => setTimeout(done, 20));
    const small = new OffscreenCanvas(24, 16), context = small.getContext("2d");
    return new Promise((done) => requestAnimationFrame(() => {
        window.firn.paintNow();
        context.drawImage(document.getElementById("picture"), 0, 0, 24, 16);
        done([...context.getImageData(0, 0, 24, 16).data]);
    }));
});
const differs = (a, b) => a.reduce((sum, x, k) => sum + Math.abs(x - b[k]), 0) / a.length;

// It runs, and draws snow: bright, with something darker around it.
await wait(() => window.firn.frames > 3);
const first = await state();
await wait((step) => window.firn.state.step > step, first.step);
check(true, "the simulation runs");
check((await page.textContent("#stat-real")).includes("×"), "real-time factor is shown");
check((await page.textContent("#stat-step")).includes("ms"), "step time is shown");
await pause();
const start = await look();
const light = start.filter((_, k) => k % 4 === 0);
check(Math.max(...light) > 170 && Math.min(...light) < 140, "bright snow on a darker ground");
await shot("start");

// Pause, step, reset.
const paused = await state();
await page.keyboard.press(".");
await wait((step) => window.firn.state.step === step + 1, paused.step);
check(true, "one step");
await page.click("#reset");
await wait(() => window.firn.state.step === 0 || window.firn.state.time < 0.02);
check(true, "reset");
await pause();

// The camera: drag and keys.
const box = await page.locator("#picture").boundingBox();
const at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
const drag = async (from, to) => {
    await page.mouse.move(...at(...from));
    await page.mouse.down();
    await page.waitForTimeout(400);  // the worker says what is under the pointer
    for (let k = 1; k <= 6; k++) {
        await page.mouse.move(...at(...from.map((x, axis) => x + (to[axis] - x) * k / 6)));
        await page.waitForTimeout(60);
    }
};
await page.click("[data-tool=orbit]");
const yaw = () => page.evaluate(() => window.firn.orbit.yaw);
const ahead = await yaw();
await drag([0.2, 0.3], [0.5, 0.35]);
await page.mouse.up();
check(Math.abs(await yaw() - ahead) > 0.2, "a drag turns the camera");
check(differs(start, await look()) > 1, "and the picture");
await page.focus("#picture");
await page.keyboard.press("ArrowLeft");
await page.keyboard.press("+");
check(true, "keys turn and zoom");

// A ball dragged through the snow moves it.
await page.click("[data-tool=ball]");
await page.click("#play");
const hash = () => page.evaluate(async () => (await window.firn.link.ask("stateHash")).hash);
await drag([0.5, 0.6], [0.65, 0.6]);
await wait(() => window.firn.bodies.length === 2);
await page.mouse.up();
check(true, "a ball is there");
const before = await state();
await wait((time) => window.firn.state.time > time + 0.02, before.time);
const ball = await page.evaluate(() => window.firn.bodies[1].position);
check(ball.every(Number.isFinite), "and moves");

// A snowball adds snow.
const count = (await state()).count;
await page.click("[data-tool=throw]");
await page.mouse.click(...at(0.5, 0.45));
await wait((n) => window.firn.state.count > n, count);
check(true, "a snowball is thrown");
await pause();
check(differs(start, await look()) > 1, "the picture has changed");
await shot("ball");
check(/^[0-9a-f]{16}$/.test(await hash()), "the state has a hash");

// Dragged through a field, it leaves a trench: heights of the snow, where the ball is not. Coarse
// grains are quick; the snow is 0.3 m deep, and the ball, 1.3 m large, reaches the ground.
await page.evaluate(() => { location.hash = "#scene=field&set=grains.radius=0.08"; });
await wait(() => window.firn.state.step === 0 && window.firn.snow.count > 1000 &&
    window.firn.bodies.length === 1);
const heights = () => page.evaluate(async () => {
    const rays = [];
    for (let x = -2; x <= 2; x += 0.2)
        for (let z = -1.2; z <= 1.2; z += 0.2)
            rays.push(window.firn.link.ask("ray", { from: [x, 3, z], along: [0, -1, 0] }));
    return (await Promise.all(rays)).map((hit) =>
        (hit.kind === "snow" ? hit.point[1] : hit.kind === "body" && hit.body === 0 ? 0 : NaN));
});
const flat = await heights();
check(Math.min(...flat) > 0.12, `the field is at least ${Math.min(...flat).toFixed(2)} m deep`);
if (await page.getAttribute("#play", "aria-pressed") === "false") await page.click("#play");
await page.click("[data-tool=ball]");
await drag([0.5, 0.5], [0.3, 0.52]);
await wait(() => window.firn.bodies.length === 2);
await wait(() => window.firn.bodies[1].low[1] < 0.1);  // it was lowered to the ground
const begun = (await state()).time;
await page.mouse.move(...at(0.75, 0.5));
await wait((time) => window.firn.state.time > time + 0.8, begun);
await page.mouse.up();
await pause();
const lower = (await heights()).map((h, k) => flat[k] - h).filter((d) => !Number.isNaN(d));
const depth = Math.max(...lower);
check(depth > 0.1, `the ball has pressed the snow down by ${depth.toFixed(2)} m`);
await shot("trench");
await page.evaluate(() => { location.hash = "#scene=sphere-drop"; });
await wait(() => window.firn.snow.count === 4148);
if (await page.getAttribute("#play", "aria-pressed") === "false") await page.click("#play");

// Warm and cool.
await page.click("#warm");
await wait(() => !Number.isNaN(window.firn.state.temperature));
check(!(await page.isHidden("#stat-air-row")), "the air's temperature is shown");
await pause();

// Sliders restart with their constants, and the address has them.
if (!(await page.isVisible("#panel"))) await page.click("#open");
await page.click("#tab-constants");
const slider = page.locator("input[data-key='grains.repose']");
await slider.fill("10");
await slider.dispatchEvent("change");
await wait(() => location.hash.includes("repose"));
check((await page.url()).includes("grains.repose%3D10"), "a slider's constant is in the address");

// YAML: a mistake is shown at its line, and the old scene goes on.
await page.click("#tab-yaml");
const yaml = await page.inputValue("#yaml");
await page.fill("#yaml", yaml.replace("radius: 0.98", "radiuss: 0.98"));
await page.waitForSelector("#messages .error");
const message = await page.textContent("#messages .error");
const line = yaml.split("\n").findIndex((text) => text.includes("0.98")) + 1;
check(message.startsWith(`Line ${line}:`) && message.includes("radius"),
    `a mistake is shown: ${message}`);
check((await page.textContent("#lines b")).trim() === String(line), "its line is marked");
await page.click("#messages .error");
check(await page.evaluate(() => document.activeElement.id) === "yaml", "a click goes there");
await shot("mistake");
await page.fill("#yaml", yaml.replace("radius: 0.98", "radius: 0.5"));
await page.waitForFunction(() => document.querySelector("#messages .error") === null);
await page.click("#run");
await wait((n) => window.firn.state.count < n / 2, count);
check((await page.url()).includes("yaml="), "the text is in the address");

// The link opens the same scene elsewhere.
const link = await page.url();
const particles = (await state()).count;
const other = await openPage(browser, link, { width: 390, height: 780, hasTouch: true });
await other.page.waitForFunction((n) => window.firn.state.count === n, particles);
check(true, "the link shows the same scene on a phone");
const bar = await other.page.locator("#bar").boundingBox();
check(bar.x >= 0 && bar.x + bar.width <= 390 && bar.y + bar.height <= 780,
    "the tools fit on a phone");
if (name === "chromium") {  // WebDriver BiDi has no touch screen, and no downloads
    await other.page.tap("[data-tool=throw]");
    await other.page.touchscreen.tap(195, 330);
    await other.page.waitForFunction((n) => window.firn.state.count > n, particles);
    check(true, "a tap throws a snowball");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#shot")]);
    check(/^firn-.*\.png$/.test(download.suggestedFilename()), "a picture is saved");
}
if (folder) await other.page.screenshot({ path: `${folder}/${name}-phone.png`, timeout: 60000 });
check(other.complaints.length === 0, `no complaints on the phone ${other.complaints.slice(0, 3)}`);
await other.page.close();

// What is missing is said.
for (const [lack, word] of [
    [() => { WebAssembly.validate = () => false; }, "WebAssembly SIMD"],
    [() => { HTMLCanvasElement.prototype.getContext = () => null; }, "WebGL 2"],
]) {
    const old = await browser.newPage();
    await old.addInitScript(lack);
    await old.goto(url);
    await old.waitForSelector("#notice:not([hidden])");
    check((await old.textContent("#notice")).includes(word), `a browser without ${word} is told`);
    await old.close();
}

// Turning the window.
await page.setViewportSize({ width: 640, height: 480 });
await wait(() => document.getElementById("picture").clientWidth <= 640);
await look();
const shape = await page.evaluate(() => {
    const c = document.getElementById("picture");
    return [c.width / c.height, c.clientWidth / c.clientHeight];
});
check(Math.abs(shape[0] / shape[1] - 1) < 0.05, "the picture follows the window");

// State hashes are those of `firn run --simd baseline`.
const expected = JSON.parse(process.env.FIRN_WEB_HASHES ?? "[]");
for (const job of expected) {
    const answer = await page.evaluate((j) => window.firn.link.ask("hash", j), job);
    check(answer.hash === job.hash, `hash of ${job.name} with ${answer.threads} threads: ` +
        `${answer.hash}, native ${job.hash}`);
}
check(complaints.length === 0, `no complaints ${complaints.slice(0, 5).join(" | ")}`);
await browser.close();
end();
