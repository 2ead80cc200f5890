// The page in a browser: it loads, drives, turns, resets, compares, replays.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { happened, open, ready, serve, state } from "../tools/browser.js";
import { driveLaps } from "../tools/lap_driver.js";

const BUDGET = 1.5e6;
const FIFTEEN_DEGREES = "On 15 degrees";

let server, browser;

before(async () => {
  server = await serve();
  browser = await open({ width: 480, height: 320, hasTouch: true });
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens the page anew, with plain pictures. */
async function visit(query = "", quality = "plain") {
  browser.complaints.length = 0;
  await browser.page.goto(`${server.address}?quality=${quality}${query}`);
  await ready(browser.page);
  return browser.page;
}

/** The same with everything that is drawn on a machine with a graphics card, but smaller. */
async function visitInFull(query = "") {
  const page = await visit(query, "low");
  await happened(page, "drawn in full");
  return page;
}

/** Waits until the page itself has driven so many steps more, with all its pictures. */
async function drive(page, steps) {
  const { simulationSteps } = await state(page);
  await page.waitForFunction((until) => until <= window.playground.state.simulationSteps, simulationSteps + steps, { timeout: 120_000 });
}

/** Goes on by so many steps, without pictures. */
function skip(page, steps) {
  return page.evaluate((count) => {
    for (let step = 0; step < count; step++) window.playground.tick(1 / 60, false);
  }, steps);
}

function distance(a, b) {
  return Math.hypot(...a.map((value, axis) => value - b[axis]));
}

/** What is seen, as 16 by 9 colors. */
async function coarsePicture(page) {
  const picture = (await page.screenshot()).toString("base64");
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(16, 9);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, 16, 9);
    return [...context.getImageData(0, 0, 16, 9).data];
  }, picture);
}

test("the built page is at most 1.5 MB, compressed", () => {
  const dist = fileURLToPath(new URL("../dist/", import.meta.url));
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const sizes = files.map((file) => gzipSync(readFileSync(`${file.parentPath}/${file.name}`), { level: 9 }).length);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  console.log(`compressed: ${size} bytes in ${files.length} files`);
  assert.ok(0 < size && size <= BUDGET, `${size} bytes`);
});

test("the first picture waits for nothing that is heavy", async () => {
  const page = await visitInFull();
  const { events } = await state(page);
  const names = events.map(({ event }) => event);
  assert.deepEqual(names, ["simulation", "world", "first picture", "textures", "light of the sky", "materials", "drawn in full"]);
  const [first, full] = ["first picture", "drawn in full"].map((name) => events[names.indexOf(name)]);
  console.log(`programs and textures of the first picture: ${first.programs} and ${first.textures}, in full: ${full.programs} and ${full.textures}`);
  assert.ok(0 < first.programs && first.programs <= 6, `${first.programs} programs`);
  assert.ok(2 * first.programs < full.programs && first.textures < full.textures, JSON.stringify(events));
  const isLit = await page.evaluate(() => {
    const { scenery, renderer } = window.playground;
    return scenery.scene.environment !== null && renderer.shadowMap.enabled && scenery.sun.shadow.map !== null;
  });
  assert.ok(isLit, "sky and shadows are there in the end");
  const marks = await page.evaluate(() => performance.getEntriesByName("playground: first picture").length);
  assert.equal(marks, 1);
  assert.deepEqual(browser.complaints, []);
});

test("a machine without a graphics card drives on in plain pictures, unless it is told otherwise", async () => {
  const page = await visit("", "auto");
  await happened(page, "drawn plainly");
  const names = (await state(page)).events.map(({ event }) => event);
  assert.deepEqual(names, ["simulation", "world", "first picture", "textures", "drawn plainly"]);
  const lamps = await page.evaluate(() => {
    const { looks, car } = window.playground;
    car.light(true, false);
    looks.draw();
    return looks.pairs.find(([, fine]) => fine === car.materials.brake)[0].emissiveIntensity;
  });
  assert.ok(1 < lamps, `brake lamps of ${lamps}`);
  assert.deepEqual(browser.complaints, []);
});

test("W and A make the car go and turn; Backspace puts it back", async () => {
  const page = await visitInFull();
  const begin = await state(page);
  const seenBefore = await coarsePicture(page);
  await page.keyboard.down("w");
  await page.keyboard.down("a");
  await drive(page, 180);
  const driven = await state(page);
  assert.ok(4 < driven.speed, `${driven.speed} m/s after 3 s`);
  assert.ok(0.3 < driven.heading - begin.heading, `turned by ${driven.heading - begin.heading} rad to the left`);
  const seen = await coarsePicture(page);
  const change = seen.reduce((sum, value, at) => sum + Math.abs(value - seenBefore[at]), 0) / seen.length;
  assert.ok(2 < change, `colors change by ${change} of 255`);
  assert.ok(40 < Math.max(...seen.filter((_, at) => at % 4 < 3)) - Math.min(...seen.filter((_, at) => at % 4 < 3)), "there is a picture");
  await page.keyboard.up("w");
  await page.keyboard.up("a");
  await page.keyboard.press("Backspace");
  await drive(page, 20);
  const reset = await state(page);
  assert.ok(distance(reset.place, begin.place) < 0.3, `${reset.place}, ${begin.place}`);
  assert.ok(Math.abs(reset.speed) < 0.3, `${reset.speed} m/s`);
  assert.deepEqual(browser.complaints, []);
});

test("beside the ghost on 15 degrees anyone sees who stands", async () => {
  const page = await visit();
  const start = await page.evaluate((name) =>
    [...document.querySelector("#start").options].findIndex((option) => option.text === name), FIFTEEN_DEGREES);
  await page.selectOption("#start", String(start));
  await skip(page, 60);
  await page.keyboard.press("g");
  await skip(page, 1);
  const begin = await state(page);
  assert.ok(distance(begin.place, begin.ghost) < 0.05, `${begin.place}, ${begin.ghost}`);
  await skip(page, 600);
  const end = await state(page);
  const [car, ghost] = [distance(begin.place, end.place), distance(begin.ghost, end.ghost)];
  console.log(`on 15 degrees, in 10 s: the car moves by ${(1000 * car).toFixed(2)} mm, Rapier's controller by ${(1000 * ghost).toFixed(0)} mm`);
  assert.ok(car < 0.002, `the car moves by ${car} m`);
  assert.ok(0.05 < ghost, `the ghost moves by ${ghost} m`);
});

test("a finger drives", async () => {
  const page = await visit();
  const { x, y, width, height } = await page.locator("#touch-throttle").boundingBox();
  const session = await browser.context.newCDPSession(page);
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await drive(page, 90);
  const { speed } = await state(page);
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  assert.ok(1 < speed, `${speed} m/s`);
  await drive(page, 30);
  const released = await page.evaluate(() => window.playground.input.touch.throttle);
  assert.equal(released, 0);
});

test("lamps of aids light up as they act, keys and fingers switch them, and the choice stays", async () => {
  const page = await visit();
  await page.evaluate(() => window.playground.renderer.setAnimationLoop(null));
  const classes = (label) => page.locator("#aids button", { hasText: label }).getAttribute("class").then((names) => names ?? "");
  const isLit = async (label) => (await classes(label)).includes("acts");
  const isOn = async (label) => (await classes(label)).includes("on");
  await skip(page, 30);
  assert.ok((await isOn("ABS")) && (await isOn("HOLD")) && !(await isOn("CRUISE")));
  assert.ok((await isLit("HOLD")) && !(await isLit("ABS")), "a car that stands is held");
  await page.keyboard.down("w");
  await skip(page, 240);
  await page.keyboard.up("w");
  await page.keyboard.down("s");
  await skip(page, 40);
  assert.ok((await isLit("ABS")) && !(await isLit("HOLD")), "a car that brakes hard");
  await page.keyboard.press("1");
  await skip(page, 3);
  assert.ok(!(await isOn("ABS")) && !(await isLit("ABS")), "anti-lock brakes are off");
  await page.keyboard.up("s");
  await page.locator("#aids button", { hasText: "DRIFT" }).tap();
  await skip(page, 2);
  assert.ok(await isOn("DRIFT"), "a finger has switched it");
  await page.evaluate(() => window.playground.begin({ vehicle: "sports_car" }));
  await skip(page, 12);
  assert.ok(!(await isOn("ABS")) && (await isOn("DRIFT")) && (await isOn("TC")), "the next vehicle has the same");
  assert.deepEqual(browser.complaints, []);
});

test("what was driven is replayed with the same bits", async () => {
  const page = await visit();
  await page.keyboard.down("w");
  await skip(page, 120);
  await page.keyboard.up("w");
  await skip(page, 30);
  const [steps, bits] = await page.evaluate(() => {
    const { simulation } = window.playground;
    window.playground.renderer.setAnimationLoop(null);
    return [simulation.frame().get("steps"), simulation.fingerprint()];
  });
  const again = await page.evaluate((count) => {
    const { simulation } = window.playground;
    window.playground.replay(simulation.recording());
    simulation.step(count);
    return simulation.fingerprint();
  }, steps);
  assert.equal(again, bits);
});

test("a hidden page is silent, and so is one that has failed", async () => {
  const page = await visit();
  await page.keyboard.press("w");
  const sounds = (state) => page.waitForFunction((state) => window.playground.sound.context.state === state, state);
  await sounds("running");
  const hide = (isHidden) => page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
  await hide(true);
  await sounds("suspended");
  await hide(false);
  await sounds("running");
  // One that the browser has held back begins with the next touch.
  await page.evaluate(() => window.playground.sound.context.suspend());
  await page.evaluate(() => document.querySelector("#stick").dispatchEvent(new PointerEvent("pointercancel")));
  await sounds("running");
  const context = await page.evaluateHandle(() => window.playground.sound.context);
  await page.evaluate(() => (window.playground.tick = () => { throw new Error("nothing goes any more"); }));
  await page.waitForFunction((context) => context.state === "closed", context);
  assert.match(await page.textContent("#failure"), /nothing goes any more/);
  browser.complaints.length = 0;
});

test("keys that are let go are let go, whatever else is held", async () => {
  const page = await visit();
  await page.evaluate(() => window.playground.renderer.setAnimationLoop(null));
  const throttle = async () => {
    await skip(page, 40);
    return page.evaluate(() => window.playground.simulation.frame().get("throttle"));
  };
  await page.keyboard.down("w");
  await page.keyboard.down("ArrowUp");
  await page.keyboard.up("w");
  assert.ok(0.9 < await throttle(), "the other one is held");
  await page.keyboard.down("Control");
  await page.keyboard.up("ArrowUp");
  await page.keyboard.up("Control");
  assert.equal(await throttle(), 0);
  await page.keyboard.down("w");
  await page.evaluate(() => window.playground.begin({ vehicle: "kart" }));
  assert.ok(0.9 < await throttle(), "it is held in the next drive, too");
  await page.keyboard.up("w");
});

test("choices and buttons are operated by keys, and their lamps say whether they are on", async () => {
  const page = await visit();
  await page.evaluate(() => window.playground.renderer.setAnimationLoop(null));
  await page.focus("#help-button");
  await page.keyboard.press("Space");
  assert.ok(await page.isVisible("#help"));
  assert.equal(await page.evaluate(() => document.activeElement.id), "help-button");
  const lamp = page.locator("#aids button").first();
  await skip(page, 2);
  assert.equal(await lamp.getAttribute("aria-pressed"), "true");
  await lamp.focus();
  await page.keyboard.press("Enter");
  await skip(page, 2);
  assert.equal(await lamp.getAttribute("aria-pressed"), "false");
  await page.focus("#vehicle");
  const taken = await page.evaluate(() => ["ArrowDown", "KeyS", "Space"].map((code) =>
    !document.querySelector("#vehicle").dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true, cancelable: true }))));
  assert.deepEqual(taken, [false, false, false]);
  // Who clicks goes on driving.
  await page.click("#help-button");
  assert.equal(await page.evaluate(() => document.activeElement.id), "view");
  const viewport = await page.getAttribute("meta[name=viewport]", "content");
  assert.ok(!/scalable|maximum/.test(viewport), viewport);
});

test("what a world and its vehicle held in the graphics card is given back", async () => {
  const page = await visitInFull();
  const held = () => page.evaluate(() => {
    const { playground } = window, { memory, programs } = playground.renderer.info;
    playground.renderer.setAnimationLoop(null);
    for (const _ of [1, 2]) playground.tick(1 / 60);
    return [memory.geometries, memory.textures, programs.length];
  });
  const round = () => page.evaluate(() => {
    for (const change of [{ world: "crowd" }, { world: "proving_ground" }, { vehicle: "kart" }, { vehicle: "hot_hatch" }]) {
      window.playground.begin({ start: 0, ...change });
      window.playground.tick(1 / 60);
    }
  });
  await page.evaluate(() => window.playground.toggleForces());
  await round();
  const before = await held();
  for (const _ of [1, 2]) await round();
  assert.deepEqual(await held(), before, "geometries, textures and programs");
});

test("a picture that the graphics card has lost comes back with the light of the sky", async () => {
  const page = await visitInFull();
  await page.evaluate(() => {
    window.lost = window.playground.renderer.getContext().getExtension("WEBGL_lose_context");
    window.sky = window.playground.scenery.scene.environment;
    window.lost.loseContext();
  });
  await told(page, /is away/);
  await page.evaluate(() => window.lost.restoreContext());
  await told(page, /is back/);
  assert.ok(await page.evaluate(() => window.playground.scenery.scene.environment !== window.sky), "a light that is made anew");
  browser.complaints.length = 0;
});

test("a lap of the circuit is timed and kept, and its ghost drives along in the next visit, with its trailer", async () => {
  const train = "&world=circuit&vehicle=truck_6x6-tandem_trailer";
  let page = await visit(train);
  await page.evaluate(() => localStorage.clear());
  const { step, laps } = await driveLaps(page, { laps: 1 });
  console.log(`a lap of ${laps.best.toFixed(3)} s, in ${step} steps from before the line`);
  assert.ok(Math.abs(laps.best - step / 60) < 6, `${laps.best} s, ${step} steps`);
  assert.match(await page.textContent("#best-lap"), /^[01]:\d\d\.\d{3}$/);
  page = await visit(train);
  assert.equal((await state(page)).laps.ghost, null, "no lap has begun");
  const again = await driveLaps(page, { laps: 1, speed: 5, steps: 900 });
  assert.ok(Math.abs(again.laps.best - laps.best) < 1e-6, `${again.laps.best} and ${laps.best} s`);
  const { place, laps: { ghost } } = await state(page);
  assert.ok(10 < distance(place, ghost), `the ghost is faster: ${place} and ${ghost}`);
  const [isSeen, gaps] = await page.evaluate(() => {
    const { laps: { ghost, ghostTrailer }, car, trailer } = window.playground;
    const gap = (front, back) => front.body.position.distanceTo(back.body.position);
    return [[ghost, ghostTrailer].map(({ group }) => group.visible), [gap(ghost, ghostTrailer), gap(car, trailer)]];
  });
  assert.deepEqual(isSeen, [true, true]);
  assert.ok(Math.abs(gaps[0] - gaps[1]) < 0.5, `from vehicle to trailer: ${gaps} m`);
  assert.deepEqual(browser.complaints, []);
});

test("the best lap of the driver is kept, and none of which a part was replayed", async () => {
  const page = await visit("&world=circuit");
  const kept = await page.evaluate(() => {
    const { playground } = window, { laps } = playground, kept = [];
    playground.renderer.setAnimationLoop(null);
    laps.keep = () => kept.push(laps.own);
    // Times of the last, the best and the driver's best lap (s), as the simulation tells them.
    const tell = (count, [lastLap, bestLap, ownBestLap]) =>
      laps.follow({ get: (name) => ({ lapCount: count, lastLap, bestLap, ownBestLap })[name] });
    [[40, 40, -1], [45, 40, 45], [50, 40, 45], [42, 40, 42], [39, 39, 42]].forEach((times, count) => tell(count + 1, times));
    return kept;
  });
  assert.deepEqual(kept, [45, 42]);
});

test("a lap that this browser kept and that is none is left out with a word", async () => {
  await visit("&world=circuit");
  for (const text of ["what is this?", btoa("VRL1abcdef"), ""]) {
    await browser.page.evaluate((kept) => localStorage.setItem("playground lap/circuit/hot_hatch", kept), text);
    const page = await visit("&world=circuit");
    const { laps } = await state(page);
    assert.equal(laps.best, -1);
    if (text) assert.match(await page.textContent("#note"), /left out/);
  }
  await browser.page.evaluate(() => localStorage.clear());
  assert.deepEqual(browser.complaints, []);
});

/** Drives a little, and takes the link of that. */
async function linkOfDrive(page) {
  await page.evaluate(() => window.playground.renderer.setAnimationLoop(null));
  for (const [key, steps] of [["w", 90], ["a", 40]]) {
    await page.keyboard.down(key);
    await skip(page, steps);
    await page.keyboard.up(key);
  }
  return page.evaluate(() => window.playground.copyLink());
}

/** Opens an address in a page that has another one, and stops its pictures. */
async function follow(page, link) {
  await page.goto("about:blank");
  await page.goto(link.replace("?", "?quality=plain&"));
  await ready(page);
  await page.evaluate(() => window.playground.renderer.setAnimationLoop(null));
}

test("a link shows the drive, hands over, and gives the same end", async () => {
  const page = await visit("&vehicle=city_car&world=hill_climb");
  const link = await linkOfDrive(page);
  const [driven, bits] = [await state(page), await page.evaluate(() => window.playground.simulation.fingerprint())];
  console.log(`a link of ${link.length} characters for ${driven.simulationSteps} steps`);
  await follow(page, link);
  assert.ok((await state(page)).isReplaying);
  const { setup, simulationSteps } = await state(page);
  assert.deepEqual([setup.vehicle, setup.world], ["city_car", "hill_climb"]);
  const shown = await page.evaluate((count) => {
    const { simulation } = window.playground;
    simulation.step(count);
    return simulation.fingerprint();
  }, driven.simulationSteps - simulationSteps);
  assert.equal(shown, bits);
  await skip(page, 3);
  assert.ok(!(await state(page)).isReplaying);
  assert.equal(await page.textContent("#note"), "Your turn");
  // A key that is let go takes nothing over; whoever drives takes over before the end.
  await follow(page, link);
  await page.evaluate(() => dispatchEvent(new KeyboardEvent("keyup", { code: "KeyW" })));
  await skip(page, 2);
  assert.ok((await state(page)).isReplaying);
  await page.keyboard.down("s");
  await skip(page, 2);
  await page.keyboard.up("s");
  assert.ok(!(await state(page)).isReplaying);
  // Another end than the recorded one is told.
  await follow(page, link.replace(/\.[0-9a-f]{16}$/, ".0123456789abcdef"));
  await skip(page, driven.simulationSteps + 5);
  assert.match(await page.textContent("#note"), /otherwise/);
  assert.deepEqual(browser.complaints, []);
});

test("a broken link begins the usual drive with a word, and a drive that is too long says so", async () => {
  const page = await visit("&vehicle=city_car");
  const link = await linkOfDrive(page);
  for (const broken of [link.slice(0, -40), link.replace("#drive=", "#drive=!"), link.replace(/#drive=.*/, "#drive=AAAA.00"), `${link.split("#")[0]}#drive=${"A".repeat(40_000)}`]) {
    await follow(page, broken);
    const { setup, isReplaying } = await state(page);
    assert.deepEqual([setup.vehicle, isReplaying], ["city_car", false]);
    assert.match(await page.textContent("#note"), /cannot be shown/);
  }
  // Hands that are never still.
  await page.evaluate(() => {
    const { playground } = window;
    for (let step = 0; step < 12_000; step++) {
      playground.simulation.exports.set_gamepad(0.5 + 0.5 * Math.random(), 0, 2 * Math.random() - 1, 0);
      playground.simulation.step(1);
    }
  });
  const long = await page.evaluate(() => window.playground.copyLink());
  assert.ok(long.length < 200 && !long.includes("#"), long);
  assert.match(await page.textContent("#note"), /at most 32000/);
  assert.deepEqual(browser.complaints, []);
});

/** The file of a preset, changed. */
function vehicleFile(preset, change = () => {}) {
  const file = JSON.parse(readFileSync(fileURLToPath(new URL(`../../../vehicle-rapier/vehicles/${preset}.json`, import.meta.url))));
  change(file);
  return JSON.stringify(file, null, 2);
}

/** Waits for a note that says so. */
function told(page, pattern) {
  return page.waitForFunction(([source]) => new RegExp(source, "s").test(document.querySelector("#note").textContent), [pattern.source], { timeout: 60_000 });
}

test("a vehicle file that is opened drives, and drives on with what is saved into it", async () => {
  const page = await visit("&world=circuit");
  /** Saves into a file of this browser, which the dialog gives. */
  const save = (text) => page.evaluate(async (text) => {
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle("my_car.json", { create: true });
    const file = await handle.createWritable();
    await file.write(text);
    await file.close();
    window.showOpenFilePicker = async () => [handle];
  }, text);
  const mass = (kilograms) => vehicleFile("hot_hatch", (file) => (file.mechanics.data_sheet.mass = kilograms));
  await save(mass(1400));
  await page.click("#file-button");
  await page.waitForFunction(() => window.playground.setup.vehicle === "my_car.json");
  assert.equal(await page.inputValue("#vehicle"), "my_car.json");
  await page.keyboard.down("w");
  await skip(page, 180);
  const before = await state(page);
  assert.ok(5 < before.speed, `${before.speed} m/s`);
  await page.keyboard.press("g");
  await save(mass(2800));
  await told(page, /^my_car\.json: mechanics\.data_sheet\.mass 1400 -> 2800$/);
  await skip(page, 1);
  const after = await state(page);
  assert.ok(before.speed - 0.5 < after.speed && after.simulationSteps > before.simulationSteps, JSON.stringify([before, after]));
  assert.equal(await page.evaluate(() => window.playground.vehicle.mass), 2800);
  assert.ok(after.ghost, "the ghost is still there");
  // With a fault, the car stays as it was.
  await save(mass(-5));
  await told(page, /as it was: line \d+, column \d+: .*mass.*-5/);
  assert.equal(await page.evaluate(() => window.playground.vehicle.mass), 2800);
  await skip(page, 1);
  assert.ok(after.simulationSteps < (await state(page)).simulationSteps);
  await save("{ no vehicle }");
  await told(page, /as it was: .*line 1/);
  await save(vehicleFile("electric_car"));
  await told(page, /^my_car\.json: begins anew: .* more$/);
  // No lap of it is kept, no link shows it, and another world keeps it.
  await page.keyboard.up("w");
  await page.keyboard.press("y");
  await told(page, /not recorded/);
  await page.evaluate(() => window.playground.begin({ world: "hill_climb" }));
  assert.deepEqual((await state(page)).setup.vehicle, "my_car.json");
  assert.match(await page.evaluate(() => window.playground.vehicle.title), /^Electric/);
  assert.deepEqual(browser.complaints, []);
});

test("a vehicle file that is dropped drives; one with faults says them, and the drive goes on", async () => {
  const page = await visit();
  const drop = (name, text) => page.evaluate(([name, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
  }, [name, text]);
  const fault = vehicleFile("city_car", (file) => (file.mechanics.data_sheet.wheel_base = -2.5));
  for (const [text, reason] of [[fault, /bad\.json: line \d+, column \d+: .*wheel_base.*-2\.5/], ["{", /bad\.json: .*line 1, column 1/]]) {
    await drop("bad.json", text);
    await told(page, reason);
    assert.equal(await page.evaluate(() => window.playground.setup.vehicle), "hot_hatch");
  }
  // All faults are told, a line each, as long as it takes to read them.
  const faults = vehicleFile("city_car", ({ mechanics }) => Object.assign(mechanics.data_sheet, { mass: -1, wheel_base: -1, track_width: -1 }));
  await drop("many.json", faults);
  await told(page, /many\.json: .*mass(.|\n)*wheel_base(.|\n)*track_width/);
  const [height, space, align] = await page.evaluate(() => {
    const note = document.querySelector("#note"), { whiteSpace, textAlign } = getComputedStyle(note);
    return [note.scrollHeight, whiteSpace, textAlign];
  });
  assert.ok(50 < height && space === "pre-line" && align === "left", `${height}, ${space}, ${align}`);
  await page.click("#note");
  assert.ok(!(await page.evaluate(() => document.querySelector("#note").classList.contains("shown"))), "who has read it closes it");
  // Only what ends in .drive is a recording.
  for (const name of ["car.toml", "photo.png"]) {
    await drop(name, "");
    assert.equal(await page.textContent("#note"), `${name}: the page reads .json and .drive`);
  }
  await drop("old.drive", "nothing");
  await told(page, /old\.drive: .*VRP1/);
  await drop("small.JSON", vehicleFile("city_car"));
  await page.waitForFunction(() => window.playground.setup.vehicle === "small.JSON");
  await skip(page, 30);
  await page.keyboard.down("w");
  await skip(page, 120);
  await page.keyboard.up("w");
  const { speed } = await state(page);
  assert.ok(2 < speed, `${speed} m/s`);
  // Another vehicle is chosen, and the file again.
  await page.selectOption("#vehicle", "kart");
  await page.selectOption("#vehicle", "small.JSON");
  assert.match(await page.evaluate(() => window.playground.vehicle.title), /^City/);
  assert.deepEqual(browser.complaints, []);
});

test("every world and every vehicle is shown without a complaint", async () => {
  const page = await visitInFull();
  const { worlds, vehicles } = await page.evaluate(() => window.playground.catalog);
  for (const world of worlds) {
    await page.evaluate((name) => window.playground.begin({ world: name, start: 0 }), world);
    await drive(page, 2);
  }
  await page.evaluate(() => window.playground.begin({ world: "proving_ground", start: 0 }));
  for (const { name } of vehicles) {
    await page.evaluate((vehicle) => window.playground.begin({ vehicle }), name);
    await page.keyboard.press("f");
    await drive(page, 2);
    assert.equal((await state(page)).setup.vehicle, name);
  }
  assert.deepEqual(browser.complaints, []);
});

test("a thousand cars are drawn as instances of one", async () => {
  const page = await visit("&world=crowd");
  const crowd = await page.evaluate(() => window.playground.crowd.mesh.count);
  assert.equal(crowd, 1000);
});

test("an address that names what is not there begins the usual drive and says what there is", async () => {
  const page = await visit("&vehicle=hovercraft&world=moon&start=99&camera=7");
  const { setup } = await state(page);
  assert.deepEqual(setup, { vehicle: "hot_hatch", world: "proving_ground", start: 0 });
  const text = await page.textContent("#note");
  for (const word of ["hovercraft", "moon", "semi_tractor", "ship", 'camera "7"', "cockpit"]) assert.match(text, new RegExp(word));
  assert.ok(await page.evaluate(() => document.querySelector("#failure").hidden));
  assert.deepEqual(browser.complaints, []);
});

test("how to drive is told until someone drives", async () => {
  const page = await visit();
  assert.match(await page.textContent("#hint"), /drive/);
  assert.ok(await page.isVisible("#hint"));
  await page.keyboard.press("c");
  assert.ok(await page.isVisible("#hint"), "a look from elsewhere is no drive");
  await page.keyboard.press("w");
  assert.ok(!(await page.isVisible("#hint")));
});

test("tires of all wheels have tiles of one size, without a minus before nothing", async () => {
  const page = await visit();
  await page.setViewportSize({ width: 1280, height: 720 });
  try {
    for (const { name } of (await page.evaluate(() => window.playground.catalog)).vehicles) {
      await page.evaluate((vehicle) => window.playground.begin({ vehicle }), name);
      const sizes = new Set();
      for (const key of ["", "w", "a"]) {
        if (key) await page.keyboard.down(key);
        await skip(page, 40);
        const tiles = await page.evaluate(() => [...document.querySelectorAll(".tire")].map((tile) => {
          const { width, height } = tile.getBoundingClientRect();
          return { size: `${width} x ${height}`, isFull: tile.clientWidth < tile.scrollWidth, text: tile.innerText };
        }));
        const wheels = await page.evaluate(() => window.playground.vehicle.wheels.length);
        assert.equal(tiles.length, wheels, name);
        for (const { size, isFull, text } of tiles) {
          sizes.add(size);
          assert.ok(!isFull && !/-0(\.0)?[ °]/.test(text), `${name}: ${text}`);
        }
      }
      assert.equal(sizes.size, 1, `${name}: ${[...sizes]}`);
      for (const key of ["w", "a"]) await page.keyboard.up(key);
    }
  } finally {
    await page.setViewportSize({ width: 480, height: 320 });
  }
});

test("nothing lies over anything else on phones and small windows", async () => {
  const page = await visit("&world=circuit");
  try {
    for (const [width, height] of [[390, 844], [360, 640], [844, 390], [667, 375], [1280, 720]]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => window.playground.hud.say("Tractor of a semi-trailer"));
      const overlaps = await page.evaluate(() => {
        const parts = ["#bar", "#laps", "#dash", "#aids", "#tires", "#gg", "#hint", "#note", "#stick", ".round"];
        const seen = parts.flatMap((name) => [...document.querySelectorAll(name)].map((part) => [name + part.id, part.getBoundingClientRect()]))
          .filter(([, { width: across, height: high }]) => 0 < across && 0 < high);
        const out = seen.filter(([, box]) => box.left < 0 || box.top < 0 || innerWidth < box.right || innerHeight < box.bottom).map(([name]) => name);
        return out.concat(seen.flatMap(([name, a], index) => seen.slice(index + 1)
          .filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).map(([other]) => `${name} and ${other}`)));
      });
      assert.deepEqual(overlaps, [], `${width} x ${height}`);
    }
  } finally {
    await page.setViewportSize({ width: 480, height: 320 });
  }
});

test("on a phone that stands the road is seen beside the car, and choices are told apart", async () => {
  const page = await visit();
  try {
    for (const [width, height] of [[390, 844], [320, 568], [1280, 720]]) {
      await page.setViewportSize({ width, height });
      await page.waitForFunction((aspect) => window.playground.camera.aspect === aspect, width / height);
      await skip(page, 1);
      const [across, up, labels] = await page.evaluate(() => {
        const { camera: { fov, aspect } } = window.playground, half = Math.tan((fov * Math.PI) / 360);
        const labels = [...document.querySelector("#vehicle").options].map(({ label }) => label.slice(0, 11));
        return [(Math.atan(aspect * half) * 360) / Math.PI, fov, labels];
      });
      assert.ok(44.9 < across, `${width} x ${height}: ${across} degrees from side to side`);
      assert.ok(height < width ? Math.abs(up - 52) < 1 : up < 90, `${width} x ${height}: ${up} degrees from top to bottom`);
      assert.equal(new Set(labels).size, labels.length, `${labels}`);
      const place = await page.evaluate(() => document.querySelector("#start").clientWidth);
      assert.ok(110 < place, `${width} x ${height}: the place has ${place} pixels`);
    }
  } finally {
    await page.setViewportSize({ width: 480, height: 320 });
  }
});

test("in the cockpit nothing of the car is in the way, and loads of a model car are newtons", async () => {
  const page = await visit("&vehicle=rc_car");
  await skip(page, 60);
  const [wheels, loads] = await page.evaluate(() => {
    const { playground } = window;
    const seen = () => playground.car.group.visible;
    const before = seen();
    playground.setCamera(1);
    playground.tick(1 / 60, false);
    return [[before, seen()], [...document.querySelectorAll(".tire")].map((tile) => tile.innerText)];
  });
  assert.deepEqual(wheels, [true, false]);
  for (const text of loads) assert.match(text, /^[1-9]\d? N.*slip angle -?\d/s);
});

test("a message ends in one full stop", async () => {
  const page = await visit();
  await page.evaluate(() => window.playground.shown.show({ fault: "it was truncated." }));
  assert.equal(await page.textContent("#note"), "The drive of this link cannot be shown: it was truncated.");
});

test("the help is that of keys, and on a phone that of fingers", async () => {
  // A mouse, as the browser of a test has none.
  const mouse = ["primaryPointerType", "availablePointerTypes"].map((name) => `${name}=4`).join();
  const desk = await open({ width: 640, height: 400, graphics: [`--blink-settings=${mouse}`] });
  try {
    await desk.page.goto(`${server.address}?quality=plain`);
    await ready(desk.page);
    await desk.page.keyboard.press("h");
    assert.deepEqual([await desk.page.isVisible("#keys"), await desk.page.isVisible("#fingers")], [true, false]);
  } finally {
    await desk.close();
  }
  const phone = await open({ width: 390, height: 844, hasTouch: true, isMobile: true });
  try {
    await phone.page.goto(`${server.address}?quality=plain`);
    await ready(phone.page);
    await phone.page.tap("#help-button");
    assert.deepEqual([await phone.page.isVisible("#keys"), await phone.page.isVisible("#fingers")], [false, true]);
    assert.match(await phone.page.innerText("#help"), /Knob.*steers/);
    assert.deepEqual(phone.complaints, []);
  } finally {
    await phone.close();
  }
});

test("without WebGL the page says why and drives on a map", async () => {
  const flat = await open({ width: 640, height: 400, graphics: ["--disable-3d-apis"] });
  try {
    await flat.page.goto(server.address);
    await ready(flat.page);
    assert.match(await flat.page.textContent("#why"), /WebGL/);
    await flat.page.keyboard.down("w");
    await flat.page.waitForFunction(() => 1 < window.playground.state.speed, null, { timeout: 60_000 });
    const colors = await flat.page.evaluate(() => {
      const { width, height } = document.querySelector("#view");
      const { data } = document.querySelector("#view").getContext("2d").getImageData(0, 0, width, height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
    assert.ok(8 < colors, `${colors} colors`);
    assert.ok(!(await flat.page.isVisible("#laps")), "no laps on the proving ground");
    await flat.page.keyboard.up("w");
    await flat.page.goto(`${server.address}?world=circuit&vehicle=gt`);
    await ready(flat.page);
    assert.equal(await flat.page.textContent("#best-lap"), "-:--.---");
    assert.ok((await flat.page.isVisible("#laps")) && (await state(flat.page)).laps.count === 0);
    await flat.page.keyboard.down("w");
    await flat.page.waitForFunction(() => /^0:0[1-9]/.test(document.querySelector("#lap").textContent), null, { timeout: 60_000 });
    await flat.page.keyboard.up("w");
    await flat.page.goto(`${server.address}?vehicle=kart&start=99&camera=x&quality=best`);
    await ready(flat.page);
    const { setup } = await state(flat.page);
    assert.deepEqual([setup.vehicle, setup.start], ["kart", 0]);
    assert.match(await flat.page.textContent("#note"), /quality "best".*camera "x".*start/s);
    await flat.page.evaluate(() => window.playground.shown.replay(window.playground.simulation.recording()));
    await told(flat.page, /Your turn|takes over/);
    assert.ok(flat.complaints.every((text) => /WebGL/.test(text)), flat.complaints.join("\n"));
  } finally {
    await flat.close();
  }
});

test("at a quarter of the processor's speed, stepping takes less than half of real time", async () => {
  const page = await visit();
  const session = await browser.context.newCDPSession(page);
  await page.evaluate(() => window.playground.renderer.setAnimationLoop(null));
  await page.keyboard.down("w");
  await skip(page, 300);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  // The least disturbed of ten seconds counts: others may use the machine, too.
  const shares = await page.evaluate(() => {
    const { simulation } = window.playground;
    return Array.from({ length: 10 }, () => {
      const before = performance.now();
      for (let step = 0; step < 60; step++) simulation.advance(1 / 60);
      return (performance.now() - before) / 1000;
    });
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await page.keyboard.up("w");
  const share = Math.min(...shares);
  console.log(`stepping takes ${(100 * share).toFixed(1)} % of real time at a quarter of the speed`);
  assert.ok(share < 0.5, `${shares}`);
});
