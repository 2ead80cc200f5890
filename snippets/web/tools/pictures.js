// Makes the pictures of `docs/pictures` anew from the built page.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { open, ready, serve } from "./browser.js";

const folder = fileURLToPath(new URL("../../../docs/pictures/", import.meta.url));

// What is on the page, keys that are held and for how long (s), in turn.
const PICTURES = [
  { name: "proving_ground", query: "?vehicle=hot_hatch&start=0", drive: [["w", 3.2], ["w,a", 0.9], ["w,d", 0.7], ["s,d", 0.35]] },
  { name: "ghost", query: "?vehicle=hot_hatch&start=3&ghost&camera=2&hud=0", drive: [["", 12]], turn: [1.0, 0.0, 0.8] },
  { name: "forces", query: "?vehicle=sports_car&start=0&forces&camera=2", drive: [["w", 3], ["w,a", 1.6]], turn: [0.2, 0.15, 0.9] },
  { name: "hill_climb", query: "?vehicle=pick_up&world=hill_climb&start=1", drive: [["w", 1.5]] },
  { name: "soft_ground", query: "?vehicle=pick_up&world=soft_ground", drive: [["w", 5], ["w,a", 1.2]] },
  { name: "ship", query: "?vehicle=city_car&world=ship&hud=0", drive: [["", 14]], turn: null },
  { name: "crowd", query: "?vehicle=sports_car&world=crowd&hud=0", drive: [["w", 6.5]] },
];

/** One picture of the page as it is after its drive. */
async function take(page, address, { name, query, drive, turn }) {
  await page.goto(address + query);
  await ready(page);
  await page.evaluate(() => window.playground.renderer.setAnimationLoop(null));
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
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${folder}${name}.jpg`, type: "jpeg", quality: 82, timeout: 120_000 });
  console.log(`docs/pictures/${name}.jpg`);
}

const only = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await open({ width: 1280, height: 720 });
for (const picture of PICTURES.filter(({ name }) => only.length === 0 || only.includes(name))) {
  await take(browser.page, server.address, picture);
}
await browser.close();
await server.close();
if (browser.complaints.length) throw new Error(browser.complaints.join("\n"));
