// The report of a drive in a browser: a cursor through all charts, the moving view, themes and widths.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { open } from "../tools/browser.js";

const BUDGET = 2e6;

let folder, report, browser;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "report-"));
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  execFileSync("cargo", ["run", "--quiet", "--locked", "--bin", "truck", "--", "--quiet", "--out", folder], { cwd: root });
  report = join(folder, "report.html");
  browser = await open({ width: 1200, height: 900 });
});

after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

/** Opens the report anew, in a window of this size. */
async function visit(width = 1200, height = 900) {
  browser.complaints.length = 0;
  await browser.page.setViewportSize({ width, height });
  await browser.page.goto(pathToFileURL(report).href);
  return browser.page;
}

/** The time that the moving view shows (s), where each chart has its cursor (0 to 1), and what it reads there. */
function cursor(page) {
  return page.evaluate(() => ({
    time: Number(document.querySelector("#moving input").value),
    places: [...document.querySelectorAll("figure[data-chart] > svg")].map((svg) =>
      Number(svg.querySelector("line.cursor").getAttribute("x1")) / svg.viewBox.baseVal.width),
    readings: [...document.querySelectorAll("figure[data-chart] .reading")].map((reading) => reading.textContent),
  }));
}

/** How much of the moving view is painted (0 to 1). */
function painted(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector("#moving canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let alpha = 3; alpha < data.length; alpha += 4) count += 0 < data[alpha];
    return count / (canvas.width * canvas.height);
  });
}

/** Moves the mouse to this part of the width of the chart of this title. */
async function hover(page, title, part) {
  const svg = page.locator("figure[data-chart]", { has: page.getByRole("heading", { name: title, exact: true }) }).locator(":scope > svg");
  await svg.scrollIntoViewIfNeeded();
  const box = await svg.boundingBox();
  await page.mouse.move(box.x + part * box.width, box.y + 0.5 * box.height);
}

test("a report is below 2 MB", () => {
  assert.ok(statSync(report).size < BUDGET, `${statSync(report).size} bytes`);
});

test("hovering leads the cursor through all charts and the moving view", async () => {
  const page = await visit();
  const start = await cursor(page);
  assert.ok(20 < start.places.length, `${start.places.length} charts`);
  await hover(page, "Speed", 0.6);
  const middle = await cursor(page);
  assert.ok(8 < middle.time && middle.time < 11, `${middle.time} s`);
  assert.ok(middle.places.every((place) => 0.55 < place && place < 0.65), `${middle.places}`);
  assert.ok(middle.readings.every((reading) => reading !== ""), "a line without a reading");
  await hover(page, "Jounce", 0.9);
  const late = await cursor(page);
  assert.ok(middle.time + 3 < late.time, `${late.time} s`);
  assert.notDeepEqual(late.readings, middle.readings);
  // Beyond the plot, the cursor stays at its end.
  await hover(page, "Jounce", 0.999);
  assert.ok((await cursor(page)).time <= 17.1);
  assert.deepEqual(browser.complaints, []);
});

test("time runs, stops and is scrubbed", async () => {
  const page = await visit();
  const [button, slider] = [page.locator("#moving button"), page.locator("#moving input")];
  await button.click();
  await page.waitForFunction(() => 0.3 < Number(document.querySelector("#moving input").value));
  await button.click();
  const { time } = await cursor(page);
  await page.waitForTimeout(300);
  assert.equal((await cursor(page)).time, time);
  await slider.fill("12");
  const { time: scrubbed, places } = await cursor(page);
  assert.equal(scrubbed, 12);
  assert.ok(places.every((place) => 0.6 < place), `${places}`);
  assert.deepEqual(browser.complaints, []);
});

test("the moving view is drawn in light and dark, and the page fits a phone", async () => {
  for (const [scheme, width] of [["light", 1200], ["dark", 1200], ["dark", 390]]) {
    const page = await visit(width);
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator("#moving input").fill("6");
    const part = await painted(page);
    assert.ok(0.02 < part && part < 0.6, `${scheme}, ${width}: ${part}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${width}: ${overflow} pixels beyond the window`);
    const outside = await page.evaluate(() => [...document.querySelectorAll("figure, .summary")].flatMap((card) => {
      const edge = card.getBoundingClientRect().right;
      return [...card.querySelectorAll("td, th, li, h2, p")].filter((part) => !part.closest(".scroll") && edge < part.getBoundingClientRect().right)
        .map((part) => part.textContent);
    }));
    assert.deepEqual(outside, [], `${width}: parts beyond their cards`);
  }
  assert.deepEqual(browser.complaints, []);
});
