// A world of ground, boxes and vehicles: WebAssembly by plain functions and its memory, behind two
// classes.

/**
 * Coordinates to the left, up and ahead (m).
 * @typedef {[number, number, number]} Place
 */
/**
 * Where something is: a place (m) and a unit quaternion (x, y, z, w).
 * @typedef {{ place: Place, rotation: [number, number, number, number] }} Pose
 */
/**
 * What a driver does: accelerator, brake and hand brake in [0, 1]; steering wheel in [-1, 1],
 * positive to the left. The brake becomes reverse at a standstill.
 * @typedef {{ throttle?: number, brake?: number, steer?: number, handBrake?: number }} Commands
 */
/**
 * A wheel of a vehicle: its place in the body at rest, its radius and half of its width (m).
 * @typedef {{ place: Place, radius: number, halfWidth: number }} Wheel
 */
/**
 * What a tire does: whether it touches the ground, and whether it leaves marks; load (N),
 * longitudinal slip, slip angle (rad), share of the friction that is used, compression of the
 * suspension as a share of its travel, and rotation speed (rad/s).
 * @typedef {{ isOnGround: boolean, isSkidding: boolean, load: number, slip: number, slipAngle: number, frictionUsed: number,
 *   compression: number, rotationSpeed: number }} WheelReading
 */
/**
 * What a driver and an engineer read: forward speed (m/s), engine speed (1/min; null without an engine), gear, wheels.
 * @typedef {{ speed: number, engineSpeed: number | null, gear: string, wheels: WheelReading[] }} Readings
 */

const decoder = new TextDecoder();
const encoder = new TextEncoder();
/** Time of a step of `advance` (s), and longest time that it makes up for (s). */
const STEP = 1 / 60;
const LONGEST = 0.1;
/** Numbers of a pose; of readings before those of wheels, and of each wheel. */
const [POSE, HEAD, WHEEL] = [7, 4, 8];
/** @type {Pose} */
const ORIGIN = { place: [0, 0, 0], rotation: [0, 0, 0, 1] };

/** @param {Partial<Pose>} pose */
function placed({ place = ORIGIN.place, rotation = ORIGIN.rotation } = {}) {
  return { place: [...place], rotation: [...rotation] };
}

/** @param {URL | string | BufferSource | undefined} source */
async function load(source = new URL("./vehicles.wasm", import.meta.url)) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.instantiate(source, {});
  if (String(source).startsWith("file:")) {
    const files = "node:fs/promises"; // By name, so that no bundler looks for it.
    const { readFile } = await import(/* @vite-ignore */ files);
    return WebAssembly.instantiate(await readFile(new URL(source)), {});
  }
  return WebAssembly.instantiateStreaming(fetch(source), {});
}

/** A world: boxes that stay or move, and vehicles that drive. Up is +y, ahead +z, left +x. */
export class World {
  /** @type {any} */
  #exports;
  #share = 1;
  #rest = 0;
  /** Where numbers of a box, or of a vehicle, begin among all poses. */
  #boxes = 0;
  /** @type {Vehicle[]} */
  #vehicles = [];

  /**
   * @internal
   * @param {WebAssembly.Instance} instance
   */
  constructor(instance) {
    this.#exports = instance.exports;
  }

  /**
   * A world with nothing in it. It loads `vehicles.wasm` beside this file, or what is given instead: an address, or bytes.
   * @param {{ wasm?: URL | string | BufferSource }} [options]
   * @returns {Promise<World>}
   */
  static async create({ wasm } = {}) {
    return new World(/** @type {any} */ (await load(wasm)).instance);
  }

  /**
   * Names of all presets.
   * @returns {string[]}
   */
  get presets() {
    return this.#ask("own_presets");
  }

  /**
   * Level ground whose upper side is y = 0, so far to each side (m).
   * @param {{ half?: number, friction?: number }} [options]
   */
  ground({ half = 1000, friction = 1 } = {}) {
    this.box({ half: [half, 1, half], place: [0, -1, 0], friction });
  }

  /**
   * A box of these half extents (m). With a mass (kg) it moves, and how to read its pose is returned; without, it stays.
   * @param {{ half: Place, mass?: number, friction?: number } & Partial<Pose>} options
   * @returns {{ readonly pose: Pose } | null}
   */
  box({ half, mass, friction = 1, ...pose }) {
    const number = this.#ask("own_box", { half: [...half], mass: mass ?? null, friction, at: placed(pose) });
    if (number === null) return null;
    this.#boxes += 1;
    const read = () => this.pose(number * POSE);
    return { get pose() { return read(); } };
  }

  /**
   * The preset of this name, standing on the ground at a place.
   * @param {string} name
   * @param {Partial<Pose>} [pose]
   * @returns {Vehicle}
   */
  preset(name, pose) {
    return this.#insert({ preset: String(name), at: placed(pose) });
  }

  /**
   * The vehicle of a file's text (JSON), standing on the ground at a place.
   * @param {string} text
   * @param {Partial<Pose>} [pose]
   * @returns {Vehicle}
   */
  vehicle(text, pose) {
    return this.#insert({ file: String(text), at: placed(pose) });
  }

  /** @param {object} wanted */
  #insert(wanted) {
    const { number, ...about } = this.#ask("own_vehicle", wanted);
    const before = this.#vehicles.reduce((count, { wheels }) => count + 1 + wheels.length, 0);
    const vehicle = new Vehicle(this, number, () => (this.#boxes + before) * POSE, about);
    this.#vehicles.push(vehicle);
    return vehicle;
  }

  /**
   * A step of so many seconds, 0.0001 to 0.1; poses are those at its end.
   * @param {number} [seconds]
   */
  step(seconds = STEP) {
    this.#share = 1;
    this.call("own_step", seconds);
  }

  /**
   * Goes on by the time since the last picture (s), in steps of 1/60 s; poses are those in between, so that they move as smoothly
   * as pictures follow each other. A page that was hidden does not catch up.
   * @param {number} elapsed
   */
  advance(elapsed) {
    if (!Number.isFinite(elapsed)) throw new Error(`the time that has elapsed must be finite, got ${elapsed}`);
    this.#rest += Math.min(Math.max(elapsed, 0), LONGEST);
    for (; STEP <= this.#rest; this.#rest -= STEP) this.step();
    this.#share = this.#rest / STEP;
  }

  /**
   * Calls a function of the module that answers with bytes, with bytes in its buffer.
   * @internal
   * @param {string} name
   * @param {...number} values
   */
  call(name, ...values) {
    const exports = this.#exports;
    const isGood = exports[name](...values);
    const bytes = new Uint8Array(exports.memory.buffer, exports.output_pointer(), exports.output_length());
    const text = decoder.decode(bytes.slice());
    if (!isGood) throw new Error(text);
    return text;
  }

  /**
   * Hands `value` over as JSON.
   * @internal
   * @param {object} value
   */
  hand(value) {
    const bytes = encoder.encode(JSON.stringify(value));
    const pointer = this.#exports.buffer(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, pointer, bytes.length).set(bytes);
  }

  /**
   * @param {string} name
   * @param {object} [value]
   */
  #ask(name, value = {}) {
    this.hand(value);
    return JSON.parse(this.call(name));
  }

  /**
   * The pose whose numbers begin at `at` among all.
   * @internal
   * @param {number} at
   * @returns {Pose}
   */
  pose(at) {
    const pointer = this.#exports.own_poses(this.#share);
    const [x, y, z, i, j, k, w] = new Float32Array(this.#exports.memory.buffer, pointer + 4 * at, POSE);
    return { place: [x, y, z], rotation: [i, j, k, w] };
  }

  /**
   * Numbers of the readings of a vehicle with so many wheels.
   * @internal
   * @param {number} number
   * @param {number} wheels
   */
  readings(number, wheels) {
    const pointer = this.#exports.own_readings(number);
    return new Float32Array(this.#exports.memory.buffer, pointer, HEAD + WHEEL * wheels);
  }
}

/** A vehicle in a world. */
export class Vehicle {
  /** @type {World} */
  #world;
  #number;
  #at;

  /**
   * @internal
   * @param {World} world
   * @param {number} number
   * @param {() => number} at
   * @param {{ title: string, mass: number, bounds: [Place, Place] | null, wheels: Wheel[] }} about
   */
  constructor(world, number, at, { title, mass, bounds, wheels }) {
    this.#world = world;
    this.#number = number;
    this.#at = at;
    /** Its name, for people. */
    this.title = title;
    /** Mass of its body (kg). */
    this.mass = mass;
    /** Least and largest corner of its colliders in the body (m). */
    this.bounds = bounds;
    /** Its wheels. */
    this.wheels = wheels;
  }

  /**
   * What its driver does from now on; what is not named is let go. Values outside of their range count as its ends.
   * @param {Commands} commands
   */
  command({ throttle = 0, brake = 0, steer = 0, handBrake = 0 }) {
    this.#world.call("own_command", this.#number, throttle, brake, steer, handBrake);
  }

  /**
   * Puts it elsewhere, at rest, standing on the ground at a place.
   * @param {Partial<Pose>} pose
   */
  put(pose) {
    this.#world.hand(placed(pose));
    this.#world.call("own_put", this.#number);
  }

  /**
   * Pose of its body.
   * @returns {Pose}
   */
  get pose() {
    return this.#world.pose(this.#at());
  }

  /**
   * Poses of its wheels, turned about their axles, +x.
   * @returns {Pose[]}
   */
  get wheelPoses() {
    return this.wheels.map((_, wheel) => this.#world.pose(this.#at() + POSE * (1 + wheel)));
  }

  /**
   * What it does.
   * @returns {Readings}
   */
  get readings() {
    const numbers = this.#world.readings(this.#number, this.wheels.length);
    const [speed, engine, ...letters] = numbers.slice(0, HEAD);
    const wheels = this.wheels.map((_, wheel) => {
      const [ground, skid, load, slip, slipAngle, frictionUsed, compression, rotationSpeed] = numbers.subarray(HEAD + WHEEL * wheel);
      return { isOnGround: 0.5 < ground, isSkidding: 0.5 < skid, load, slip, slipAngle, frictionUsed, compression, rotationSpeed };
    });
    const gear = String.fromCharCode(...letters.filter((code) => 0 < code));
    return { speed, engineSpeed: Number.isNaN(engine) ? null : engine, gear, wheels };
  }
}
