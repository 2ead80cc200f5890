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
/** What a driver does, in the order in which the module takes it. */
const COMMANDS = ["throttle", "brake", "steer", "handBrake"];
/** @type {Pose} */
const ORIGIN = { place: [0, 0, 0], rotation: [0, 0, 0, 1] };

/**
 * Refuses options that nothing reads.
 * @param {object} options
 * @param {string[]} names
 */
function known(options, names) {
  if (options === null || typeof options !== "object") throw new Error(`options must be an object, got ${options}`);
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new Error(`there is no option "${name}"; there are: ${names.join(", ")}`);
  }
}

/**
 * Refuses what is no number, or an endless one.
 * @param {string} name
 * @param {unknown} value
 */
function finite(name, value) {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Error(`${name} must be a finite number, got ${typeof value === "string" ? JSON.stringify(value) : String(value)}`);
}

/**
 * The same for so many numbers.
 * @param {string} name
 * @param {Iterable<number>} values
 * @param {number} count
 */
function numbers(name, values, count) {
  const isList = typeof Object(values)[Symbol.iterator] === "function" && typeof values !== "string";
  const list = isList ? [...values] : [];
  if (list.length !== count) throw new Error(`${name} must be ${count} numbers, got ${isList ? list.length : String(values)}`);
  return list.map((value, at) => finite(`${name}[${at}]`, value));
}

/** @param {Partial<Pose>} pose */
function placed(pose = {}) {
  known(pose, ["place", "rotation"]);
  const { place = ORIGIN.place, rotation = ORIGIN.rotation } = pose;
  return { place: numbers("place", place, 3), rotation: numbers("rotation", rotation, 4) };
}

/** @param {URL | string | BufferSource | undefined} source */
async function load(source = new URL("./vehicles.wasm", import.meta.url)) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.instantiate(source, {});
  if (String(source).startsWith("file:")) {
    const files = "node:fs/promises"; // By name, so that no bundler looks for it.
    const { readFile } = await import(/* @vite-ignore */ files);
    return WebAssembly.instantiate(await readFile(new URL(source)), {});
  }
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  // Some servers call it by another type, which is not taken from a stream.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.instantiateStreaming(response, {});
  return WebAssembly.instantiate(await response.arrayBuffer(), {});
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
  static async create(options = {}) {
    known(options, ["wasm"]);
    return new World(/** @type {any} */ (await load(options.wasm)).instance);
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
  ground(options = {}) {
    known(options, ["half", "friction"]);
    const { half = 1000, friction = 1 } = options;
    finite("half", half);
    this.box({ half: [half, 1, half], place: [0, -1, 0], friction });
  }

  /**
   * A box of these half extents (m). With a mass (kg) it moves, and how to read its pose is returned; without, it stays.
   * @param {{ half: Place, mass?: number, friction?: number } & Partial<Pose>} options
   * @returns {{ readonly pose: Pose } | null}
   */
  box(options) {
    known(options, ["half", "mass", "friction", "place", "rotation"]);
    const { half, mass, friction = 1, ...pose } = options;
    const number = this.#ask("own_box", {
      half: numbers("half", half, 3), mass: mass === undefined ? null : finite("mass", mass), friction: finite("friction", friction), at: placed(pose),
    });
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
   * A step of so many seconds, 0.0001 to 0.1; poses are those at its end. A vehicle that cannot go on is told by an exception;
   * all else has gone on.
   * @param {number} [seconds]
   */
  step(seconds = STEP) {
    this.#share = 1;
    this.call("own_step", seconds);
  }

  /**
   * Goes on by the time since the last picture (s), in steps of 1/60 s; poses are those in between, so that they move as smoothly
   * as pictures follow each other. A page that was hidden does not catch up. A vehicle that cannot go on is told by an exception
   * at the end; all else has gone on.
   * @param {number} elapsed
   */
  advance(elapsed) {
    this.#rest += Math.min(Math.max(finite("the time that has elapsed", elapsed), 0), LONGEST);
    /** @type {unknown[]} */
    const faults = [];
    while (STEP <= this.#rest) {
      this.#rest -= STEP;
      try {
        this.step();
      } catch (fault) {
        faults.push(fault);
      }
    }
    this.#share = this.#rest / STEP;
    if (faults.length) throw faults[0];
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
  command(commands) {
    known(commands, COMMANDS);
    const { throttle = 0, brake = 0, steer = 0, handBrake = 0 } = commands;
    const values = [throttle, brake, steer, handBrake].map((value, at) => finite(COMMANDS[at], value));
    this.#world.call("own_command", this.#number, ...values);
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
