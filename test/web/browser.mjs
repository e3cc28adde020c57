// SPDX-License-Identifier: MIT
// What the tests of the page share: a browser with the page in it, and what it complained about.
import { existsSync } from "node:fs";

const PROGRAMS = { chromium: "/usr/bin/chromium", firefox: "/usr/bin/firefox-esr" };
// Without a graphics card: the browsers' own software rasterizers.
const CHROMIUM = [
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
    "--no-sandbox",
];
const FIREFOX = {
    "webgl.force-enabled": true, "gfx.x11-egl.force-enabled": true,
    "layers.gpu-process.enabled": false,
};
// Drivers' advice on speed is no complaint of the page.
const ADVICE = /GPU stall|software WebGL|Automatic fallback/;

export function skip(sentence) {
    console.log(`skipped: ${sentence}`);
    process.exit(77);
}

export async function launch(name) {
    let playwright;
    try {
        playwright = await import("playwright-core");
    } catch {
        skip("playwright-core is not installed: ./firn test --web installs it");
    }
    if (!existsSync(PROGRAMS[name]))
        skip(`${PROGRAMS[name]} is not installed: ./firn test --web installs it`);
    const common = { executablePath: PROGRAMS[name], timeout: 60000 };
    if (name === "chromium") return playwright.chromium.launch({ ...common, args: CHROMIUM });
    // An ordinary Firefox is driven by WebDriver BiDi, and draws with WebGL only on a screen.
    if (!process.env.DISPLAY) skip("Firefox needs a screen: run this under xvfb-run");
    const more = { headless: false, firefoxUserPrefs: FIREFOX };
    return playwright.default._bidiFirefox.launch({ ...common, ...more });
}

// Opens the page; `complaints` collects errors of console and scripts.
export async function openPage(browser, url, { width = 900, height = 600, ...more } = {}) {
    const page = await browser.newPage({ viewport: { width, height }, ...more });
    page.setDefaultTimeout(60000);
    const complaints = [];
    page.on("console", (m) => {
        const isBad = ["error", "warning"].includes(m.type());
        if (isBad && !ADVICE.test(m.text())) complaints.push(m.text());
    });
    page.on("pageerror", (e) => complaints.push(e.message));
    page.on("requestfailed", (r) => complaints.push(`${r.url()}: ${r.failure()?.errorText}`));
    await page.goto(url);
    await page.waitForFunction(() => document.body.dataset.ready === "true");
    return { page, complaints };
}

let failures = 0;
export function check(condition, what) {
    const seconds = (performance.now() / 1000).toFixed(1).padStart(5);
    console.log(`${condition ? "ok    " : "FAILED"} ${seconds} s  ${what}`);
    if (!condition) failures++;
}

export function end() {
    process.exit(failures > 0 ? 1 : 0);
}
