// The same inputs give the same bits in WebAssembly as natively.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { KEYS, EVENTS, Simulation } from "../page/simulation.js";

const generated = fileURLToPath(new URL("../page/generated/playground.wasm", import.meta.url));
const workspace = fileURLToPath(new URL("../../..", import.meta.url));
const native = `${process.env.CARGO_TARGET_DIR ?? `${workspace}/target`}/debug/examples/fingerprint`;

async function load() {
  const { instance } = await WebAssembly.instantiate(readFileSync(generated), {});
  return new Simulation(instance.exports);
}

/** A drive with everything in it: keys, sticks, aids, slopes, a lift, boxes. */
function drive(simulation, setup) {
  const { exports } = simulation;
  const catalog = simulation.catalog();
  const { starts } = simulation.begin(setup);
  for (let step = 0; step < 900; step++) {
    if (step % 150 === 75) exports.push_event(EVENTS.start, ((step * 7) / 75) % starts.length);
    if (step % 60 === 59) simulation.switchAid(((step - 59) / 60) % catalog.aids.length, step % 120 === 119);
    exports.set_key(KEYS.forward, step % 150 < 120);
    exports.set_key(KEYS.backward, 135 < step % 150);
    exports.set_key(KEYS.left, step % 90 < 25);
    exports.set_gamepad(0, 0, step % 70 < 20 ? -0.7 : 0, step % 400 === 399 ? 1 : 0);
    simulation.step(1);
  }
}

/** Drives and the hash of all bits at their end. After a change of trajectories, copy those that the tests tell. */
const DRIVES = [
  ["hot_hatch", "proving_ground", "22b130876182ecfa"],
  ["pick_up", "hill_climb", "2e9fc120fe95d1d4"],
  ["sports_car", "ship", "3f9cf69d4accf611"],
  ["city_car", "soft_ground", "08691fdccc265801"],
];

for (const [vehicle, world, hash] of DRIVES) {
  test(`${vehicle} in ${world}: WebAssembly and native code agree in every bit`, async () => {
    const simulation = await load();
    drive(simulation, { vehicle, world, start: 0 });
    const bits = simulation.fingerprint();
    const folder = mkdtempSync(`${tmpdir()}/playground-`);
    try {
      const file = `${folder}/drive`;
      writeFileSync(file, simulation.recording());
      const [steps, nativeBits] = execFileSync(native, [file], { encoding: "utf8" }).trim().split(" ");
      assert.equal(steps, "900");
      assert.equal(nativeBits, bits);
      assert.equal(bits, hash, `the hash of this drive is ${bits}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test("a vehicle that there is not is refused by name, and the drive goes on", async () => {
  const simulation = await load();
  simulation.begin({ vehicle: "hot_hatch", world: "proving_ground", start: 0 });
  assert.throws(() => simulation.begin({ vehicle: "hovercraft", world: "proving_ground", start: 0 }), /hovercraft/);
  assert.throws(() => simulation.begin({ vehicle: "hot_hatch" }), /world/);
  assert.throws(() => simulation.replay(new Uint8Array([1, 2, 3])), /VRP1/);
  assert.equal(simulation.advance(0.04), 2);
});
