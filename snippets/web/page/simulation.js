// The simulation: the playground as WebAssembly, by plain functions and its memory.

export const KEYS = { forward: 0, backward: 1, left: 2, right: 3, handBrake: 4 };
export const EVENTS = { upright: 0, start: 1, gearUp: 2, gearDown: 3, toggleGears: 4 };
export const CAMERAS = ["chase", "cockpit", "orbit", "free"];

const decoder = new TextDecoder();
const encoder = new TextEncoder();

// Where the numbers of a frame are, see `frame.rs`.
const HEAD = {
  speed: 0, engine: 1, gear: 2, sideways: 4, forward: 5, throttle: 6, brake: 7, steer: 8,
  manual: 9, camera: 10, replaying: 11, ghost: 12, ghostSpeed: 13, steps: 14, start: 17,
  eye: 18, target: 21, up: 24, body: 28, ghostBody: 35, aids: 42, actingAids: 43,
  engineHeard: 48, load: 49, limiter: 50, wind: 51, hit: 52, thud: 53,
  ownBestLap: 54, hasLaps: 56, lap: 57, lastLap: 58, bestLap: 59, lapCount: 60, missed: 61, sectors: 62, bestSectors: 65,
  bestShown: 68, bestPose: 69, bestTrailerShown: 76, bestTrailerPose: 77,
};
const WHEEL = {
  pose: 0, ghostPose: 7, onGround: 14, skidding: 15, load: 16, slip: 17, angle: 18, skid: 19,
  along: 20, across: 21, grip: 22, used: 23, point: 24, normal: 27, force: 30, surface: 33,
  compression: 34, skidPower: 35, roughness: 36,
};

export const SURFACES =
  ["asphalt", "concrete", "wet", "ice", "sand", "grass", "kerb", "steel", "wood", "cone", "white", "red"];

const PAINTS = ["body", "load", "glass", "dark", "metal", "head", "brake", "back"];

/** What something looks like, of its rows of numbers, see `scene.rs`. */
function look({ colors, parts, wheels }) {
  const pairs = (numbers) => numbers.flatMap((along, at) => (at % 2 ? [] : [[along, numbers[at + 1]]]));
  return {
    colors,
    wheels: wheels.map(([x, y, z, radius, halfWidth]) => ({ place: [x, y, z], radius, halfWidth })),
    parts: parts.map(([paint, isRod, first, ...rest]) => ({
      paint: PAINTS[paint],
      ...(isRod ? { radius: first, ends: [rest.slice(0, 3), rest.slice(3)] }
        : { across: first, half: rest.slice(0, 2), outline: pairs(rest.slice(2)) }),
    })),
  };
}

/** What is to be drawn, read by name. */
export class Frame {
  constructor(numbers, layout) {
    this.numbers = numbers;
    this.layout = layout;
    this.wheelCount = numbers[15];
    this.movingCount = numbers[16];
  }

  get(name) {
    return this.numbers[HEAD[name]];
  }

  at(name) {
    return HEAD[name];
  }

  get gear() {
    const codes = [this.numbers[HEAD.gear], this.numbers[HEAD.gear + 1]];
    return String.fromCharCode(...codes.filter((code) => 0 < code));
  }

  /** Whether the driver aid of this number is on, or acts. */
  aid(number, name = "aids") {
    return (this.get(name) & (1 << number)) !== 0;
  }

  wheel(wheel, name) {
    return this.numbers[this.wheelAt(wheel, name)];
  }

  wheelAt(wheel, name) {
    return this.layout.header + this.layout.wheel * wheel + WHEEL[name];
  }

  /** The pose of the trailer's body (0), or of one of its wheels (from 1 on). */
  trailerAt(part) {
    return this.movingAt(this.movingCount + part);
  }

  movingAt(body) {
    return this.layout.header + this.layout.wheel * this.wheelCount + this.layout.pose * body;
  }
}

function hash(bits) {
  return BigInt.asUintN(64, bits).toString(16).padStart(16, "0");
}

export class Simulation {
  static async load(source) {
    const response = await fetch(source);
    if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
    // Some servers call it by another type, which browsers do not take from a stream.
    const isStream = response.headers.get("content-type") === "application/wasm";
    const { instance } = isStream ? await WebAssembly.instantiateStreaming(response, {})
      : await WebAssembly.instantiate(await response.arrayBuffer(), {});
    return new Simulation(instance.exports);
  }

  constructor(exports) {
    this.exports = exports;
    this.layout = null;
  }

  bytes(pointer, length) {
    return new Uint8Array(this.exports.memory.buffer, pointer, length);
  }

  hand(bytes) {
    const pointer = this.exports.buffer(bytes.length);
    this.bytes(pointer, bytes.length).set(bytes);
  }

  output() {
    return this.bytes(this.exports.output_pointer(), this.exports.output_length()).slice();
  }

  answer(isGood) {
    const output = this.output();
    if (!isGood) throw new Error(decoder.decode(output));
    return output;
  }

  json(isGood) {
    return JSON.parse(decoder.decode(this.answer(isGood)));
  }

  catalog() {
    return this.json(this.exports.catalog());
  }

  begin(setup) {
    this.hand(encoder.encode(JSON.stringify(setup)));
    return this.opened(this.exports.begin());
  }

  /** Puts the vehicle of a file in the place of the one that is driven. */
  change(text) {
    this.hand(encoder.encode(text));
    return this.opened(this.exports.change());
  }

  replay(bytes) {
    this.hand(bytes);
    return this.opened(this.exports.replay());
  }

  opened(isGood) {
    const scene = this.json(isGood);
    this.layout = scene.layout;
    Object.assign(scene.vehicle, look(scene.vehicle.look));
    for (const other of ["trailer", "crowd"]) scene[other] &&= look(scene[other]);
    return scene;
  }

  recording() {
    return this.answer(this.exports.recording());
  }

  bestLap() {
    return this.answer(this.exports.best_lap());
  }

  setBestLap(bytes) {
    this.hand(bytes);
    this.answer(this.exports.set_best_lap());
  }

  advance(seconds) {
    const steps = this.exports.advance(seconds);
    if (steps < 0) throw new Error(decoder.decode(this.output()));
    return steps;
  }

  step(count) {
    this.answer(this.exports.step(count));
  }

  fingerprint() {
    return hash(this.exports.fingerprint());
  }

  /** The fingerprint at the end of a replay; null before. */
  replayEnd() {
    const end = this.exports.replay_end();
    return end === 0n ? null : hash(end);
  }

  switchAid(number, isOn) {
    this.exports.switch_aid(number, isOn);
  }

  setGhost(isShown) {
    this.answer(this.exports.set_ghost(isShown));
  }

  frame() {
    const pointer = this.exports.frame_pointer();
    const numbers = new Float32Array(this.exports.memory.buffer, pointer, this.exports.frame_length());
    return new Frame(numbers, this.layout);
  }
}
