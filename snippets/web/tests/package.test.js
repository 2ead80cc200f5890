// The npm package: in Node, with its types, and in a three.js page in Chromium.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { open } from "../tools/browser.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
let World;

before(async () => {
  execFileSync(process.execPath, [here("../tools/package.js")], { stdio: "inherit" });
  ({ World } = await import("../package/index.js"));
});

/** A world with ground, stepped for a time (s). */
async function grounded() {
  const world = await World.create();
  world.ground();
  const go = (seconds) => {
    for (let step = 0; step < 60 * seconds; step++) world.step();
  };
  return { world, go };
}

test("a preset stands, goes, turns and stops", async () => {
  const { world, go } = await grounded();
  assert.ok(world.presets.includes("hot_hatch") && !world.presets.includes("semi_trailer"));
  const car = world.preset("hot_hatch", { place: [3, 0, 5] });
  go(1);
  const [x, y, z] = car.pose.place;
  assert.ok(Math.hypot(x - 3, z - 5) < 0.1 && 0.2 < y && y < 1, `${car.pose.place}`);
  const load = car.readings.wheels.reduce((sum, wheel) => sum + wheel.load, 0);
  assert.ok(Math.abs(load / (9.81 * car.mass) - 1) < 0.02, `${load} N of ${car.mass} kg`);
  car.command({ throttle: 1 });
  go(3);
  const { speed, engineSpeed, gear } = car.readings;
  assert.ok(8 < speed && 1000 < engineSpeed && /^[1-9]$/.test(gear), JSON.stringify(car.readings));
  car.command({ throttle: 0.3, steer: 0.5 });
  go(1.5);
  assert.ok(3.3 < car.pose.place[0], "it turns to the left");
  car.command({ brake: 1 });
  for (let step = 0; step < 400 && 0.3 < car.readings.speed; step++) world.step();
  assert.ok(car.readings.speed < 0.3, `${car.readings.speed} m/s`);
  car.put({ place: [0, 0, 0] });
  car.command({});
  go(1);
  assert.ok(Math.hypot(car.pose.place[0], car.pose.place[2]) < 0.1, `${car.pose.place}`);
});

test("wheels stand on the ground beside their body, and roll", async () => {
  const { world, go } = await grounded();
  const car = world.preset("truck_6x6");
  go(1);
  assert.equal(car.wheelPoses.length, 6);
  car.wheelPoses.forEach(({ place }, wheel) => {
    const { radius } = car.wheels[wheel];
    assert.ok(Math.abs(place[1] - radius) < 0.1 * radius, `wheel ${wheel} of ${radius} m at ${place}`);
  });
  const before = car.wheelPoses[0].rotation;
  car.command({ throttle: 1 });
  go(1);
  assert.notDeepEqual(car.wheelPoses[0].rotation, before);
});

test("vehicles of a file drive beside presets, boxes fall, and the same inputs give the same bits", async () => {
  const file = readFileSync(here("../../../vehicle-rapier/vehicles/city_car.json"), "utf8");
  const drive = async () => {
    const { world, go } = await grounded();
    const box = world.box({ half: [0.5, 0.5, 0.5], place: [8, 4, 0], mass: 50 });
    const first = world.preset("kart", { place: [4, 0, 0] });
    const second = world.vehicle(file, { place: [-4, 0, 0], rotation: [0, 1, 0, 0] });
    for (const car of [first, second]) car.command({ throttle: 1 });
    go(3);
    return [box.pose, first.pose, second.pose];
  };
  const [box, first, second] = await drive();
  assert.ok(Math.abs(box.place[1] - 0.5) < 0.02, `${box.place}`);
  assert.ok(3 < first.place[2] && second.place[2] < -3, `${first.place} and ${second.place}`);
  assert.deepEqual(await drive(), [box, first, second]);
});

test("a page of any frame rate drives as far, and poses are in between", async () => {
  const far = async (rate) => {
    const { world } = await grounded();
    const car = world.preset("hot_hatch");
    car.command({ throttle: 1 });
    const places = [];
    for (let frame = 0; frame < 3 * rate; frame++) {
      world.advance(1 / rate);
      places.push(car.pose.place[2]);
    }
    const ways = places.slice(-20).map((place, at, all) => (at ? place - all[at - 1] : null)).slice(1);
    assert.ok(Math.max(...ways) < 1.2 * Math.min(...ways), `${rate} Hz: ${ways}`);
    return places.at(-1);
  };
  const [slow, fast] = [await far(60), await far(144)];
  assert.ok(Math.abs(slow - fast) < 0.3, `${slow} and ${fast} m`);
});

test("faults are exceptions that name them", async () => {
  const { world, go } = await grounded();
  const car = world.preset("hot_hatch");
  for (const [action, said] of [
    [() => world.preset("hothatch"), /hot_hatch/],
    [() => world.vehicle("{"), /line 1/],
    [() => world.vehicle(readFileSync(here("../../../vehicle-rapier/vehicles/city_car.json"), "utf8").replace(/"mass": *[\d.]+/, '"mass": -5')), /mass.*got -5/],
    [() => world.box({ half: [1, 0, 1] }), /half\[1\] must be in/],
    [() => world.box({ half: [1, 1, 1], mass: -2 }), /mass must be in .* got -2/],
    [() => world.box({ half: [1, 1, 1], place: [0, NaN, 0] }), /place\[1\] must be a finite number, got NaN/],
    [() => world.box({ half: [1, 1, 1], mass: NaN }), /mass must be a finite number, got NaN/],
    [() => world.box({ half: [1, 1, 1], mass: Infinity }), /mass must be a finite number, got Infinity/],
    [() => world.box({ half: [1, 1, 1], weight: 5 }), /no option "weight"; there are: half, mass/],
    [() => world.box({ half: [1, 1] }), /half must be 3 numbers, got 2/],
    [() => world.box({ half: 1 }), /half must be 3 numbers, got 1/],
    [() => world.box({ half: [1, 1, 1], friction: "wet" }), /friction must be a finite number, got "wet"/],
    [() => world.ground({ size: 5 }), /no option "size"/],
    [() => world.ground({ half: NaN }), /half must be a finite number, got NaN/],
    [() => world.preset("hot_hatch", { position: [0, 0, 0] }), /no option "position"; there are: place, rotation/],
    [() => car.command({ throttle: NaN }), /throttle must be a finite number, got NaN/],
    [() => car.command({ handbrake: 1 }), /no option "handbrake"; there are: throttle, brake, steer, handBrake/],
    [() => world.step(3), /a step must be in .* got 3/],
    [() => world.advance(NaN), /finite number, got NaN/],
    [() => car.put({ rotation: [0, 0, 0, 0] }), /rotation/],
  ]) assert.throws(action, said, String(action));
  await assert.rejects(World.create({ wsam: new Uint8Array(8) }), /no option "wsam"/);
  car.command({ throttle: 7 });
  go(2);
  assert.ok(3 < car.readings.speed, "the world goes on");
});

test("time does not pile up while a vehicle cannot go on", async () => {
  const { world } = await grounded();
  let steps = 0;
  world.step = () => {
    steps += 1;
    throw new Error("vehicle 0: it is gone");
  };
  for (const count of [6, 12]) {
    assert.throws(() => world.advance(10), /vehicle 0/);
    assert.ok(Math.abs(steps - count) <= 1, `${steps} steps`);
  }
});

test("WebAssembly that a server calls by another type is taken, and one that is not there is told", async () => {
  const bytes = readFileSync(here("../package/vehicles.wasm"));
  const server = createHttp((request, response) => {
    response.writeHead(request.url === "/there" ? 200 : 404, { "content-type": "application/octet-stream" });
    response.end(request.url === "/there" ? bytes : "nothing");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  try {
    assert.ok((await World.create({ wasm: `${address}/there` })).presets.includes("kart"));
    await assert.rejects(World.create({ wasm: `${address}/gone` }), /gone: 404/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("its types fit a program, and refuse one that errs", () => {
  const check = (file) => execFileSync(process.execPath, [here("../node_modules/typescript/bin/tsc"), "--noEmit", "--strict",
    "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "--types", "", here(`types/${file}`)], { encoding: "utf8", stdio: "pipe" });
  check("right.ts");
  assert.throws(() => check("wrong.ts"), ({ stdout }) => {
    for (const word of ["gas", "'string'", "horsepower"]) assert.ok(stdout.includes(word), stdout);
    return true;
  });
});

test("what is packed is complete", () => {
  const told = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: here("../package/"), encoding: "utf8" });
  const [{ files, size }] = JSON.parse(told);
  console.log(`packed: ${size} bytes`);
  assert.deepEqual(files.map(({ path }) => path).sort(), ["README.md", "index.d.ts", "index.js", "package.json", "vehicles.wasm"]);
});

test("the example drives in Chromium", async () => {
  const resolve = { alias: { "vehicles-for-rapier": here("../package/index.js") } };
  const server = await createServer({ configFile: false, root: here("../package/example/"), resolve, logLevel: "warn",
    cacheDir: here("../node_modules/.vite-package"), server: { host: "127.0.0.1", port: 0, fs: { allow: [here("..")] } } });
  await server.listen();
  const { page, complaints, close } = await open({ width: 480, height: 320 });
  try {
    await page.goto(server.resolvedUrls.local[0]);
    await page.waitForFunction(() => /km\/h/.test(document.title), null, { timeout: 60_000 });
    await page.keyboard.down("ArrowUp");
    await page.waitForFunction(() => 15 < Number.parseInt(document.title, 10), null, { timeout: 60_000 });
    // A key that is let go elsewhere is let go.
    await page.evaluate(() => dispatchEvent(new Event("blur")));
    const before = await page.evaluate(() => Number.parseInt(document.title, 10));
    await page.waitForFunction((before) => Number.parseInt(document.title, 10) < before - 2, before, { timeout: 60_000 });
    await page.setViewportSize({ width: 400, height: 300 });
    await page.waitForFunction(() => document.querySelector("canvas").width === 400);
    const picture = process.env.PICTURE_OF_EXAMPLE;
    if (picture) await page.screenshot({ path: picture });
    assert.deepEqual(complaints, []);
  } finally {
    await close();
    await server.close();
  }
});
