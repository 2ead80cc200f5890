// Makes the pictures of `docs/pictures` anew from the built page, and from the report of the program `drive`.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { happened, open, serve } from "./browser.js";
import { driveLaps } from "./lap_driver.js";

const folder = fileURLToPath(new URL("../../../docs/pictures/", import.meta.url));

// What is on the page, laps that are driven first, keys that are held and for how long (s), in turn.
const PICTURES = [
  { name: "proving_ground", query: "?vehicle=hot_hatch&start=0", drive: [["w", 3.2], ["w,a", 0.9], ["w,d", 0.7], ["s,d", 0.35]] },
  { name: "ghost", query: "?vehicle=hot_hatch&start=3&ghost&camera=2&hud=0", drive: [["", 12]], turn: [1.0, 0.0, 0.8] },
  { name: "forces", query: "?vehicle=sports_car&start=0&forces&camera=2", drive: [["w", 3], ["w,a", 1.6]], turn: [0.2, 0.15, 0.9] },
  { name: "hill_climb", query: "?vehicle=pick_up&world=hill_climb&start=1", drive: [["w", 1.5]] },
  { name: "soft_ground", query: "?vehicle=pick_up&world=soft_ground", drive: [["w", 5], ["w,a", 1.2]] },
  { name: "ship", query: "?vehicle=city_car&world=ship&hud=0", drive: [["", 14]], turn: null },
  { name: "circuit", query: "?vehicle=gt&world=circuit", laps: { laps: 1, speed: 14 }, drive: [["w", 1.8]] },
  { name: "crowd", query: "?vehicle=sports_car&world=crowd&hud=0", drive: [["w", 3.5]] },
];

// The report of a drive, when the car is so far (s).
const REPORTS = [{ name: "drive", program: "drive", time: 52.4 }];

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The picture of a report. */
async function takeReport(page, { name, program, time }) {
  const out = mkdtempSync(join(tmpdir(), "report-"));
  execFileSync("cargo", ["run", "--release", "--quiet", "--locked", "--bin", program, "--", "--quiet", "--out", out], { cwd: root });
  await page.goto(pathToFileURL(join(out, "report.html")).href);
  await page.locator("#moving input").fill(String(time));
  await page.evaluate(() => document.activeElement.blur());
  await save(page, name);
  rmSync(out, { recursive: true });
}

async function save(page, name) {
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${folder}${name}.jpg`, type: "jpeg", quality: 82, timeout: 120_000 });
  console.log(`docs/pictures/${name}.jpg`);
}

/** One picture of the page as it is after its drive. */
async function take(page, address, { name, query, laps, drive, turn }) {
  await page.goto(`${address}${query}&quality=high`);
  await happened(page, "drawn in full");
  await page.evaluate(() => {
    const { playground } = window;
    playground.renderer.setAnimationLoop(null);
    playground.beginAsAddressed();
  });
  if (laps) await driveLaps(page, laps);
  for (const [keys, seconds] of drive) {
    for (const key of keys.split(",").filter(Boolean)) await page.keyboard.down(key);
    await page.evaluate((count) => {
      for (let step = 0; step < count; step++) window.playground.tick(1 / 60, false);
    }, Math.round(60 * seconds));
    for (const key of keys.split(",").filter(Boolean)) await page.keyboard.up(key);
  }
  await page.evaluate((angles) => {
    const { playground } = window;
    if (angles) playground.simulation.exports.turn_camera(...angles);
    for (let step = 0; step < 2; step++) playground.tick(1 / 60, false);
    document.querySelector("#note").style.display = "none";
    playground.tick(0);
  }, turn ?? null);
  await save(page, name);
}

const only = process.argv.slice(2);
const isWanted = ({ name }) => only.length === 0 || only.includes(name);
mkdirSync(folder, { recursive: true });
const pictures = PICTURES.filter(isWanted);
const server = pictures.length ? await serve() : undefined;
const browser = await open({ width: 1280, height: 720 });
for (const picture of pictures) {
  await take(browser.page, server.address, picture);
}
await browser.page.setViewportSize({ width: 1200, height: 1180 });
for (const picture of REPORTS.filter(isWanted)) {
  await takeReport(browser.page, picture);
}
await browser.close();
await server?.close();
if (browser.complaints.length) throw new Error(browser.complaints.join("\n"));
