// The page: loads the simulation, steps it with each picture, and draws.
import * as THREE from "three";
import { Car, Crowd } from "./car.js";
import { discard } from "./discard.js";
import { Effects } from "./effects.js";
import { Files } from "./files.js";
import wasm from "./generated/playground.wasm?url";
import { Flat } from "./flat.js";
import { Hud } from "./hud.js";
import { Input } from "./input.js";
import { Laps } from "./laps.js";
import { MOST, canPack, driveOf, linkOf } from "./link.js";
import { Looks, QUALITY_NAMES } from "./looks.js";
import { Scenery } from "./scenery.js";
import { LONG_NOTE, Shown, sentence } from "./shown.js";
import { CAMERAS, EVENTS, Simulation } from "./simulation.js";
import { Sound } from "./sound.js";

const options = new URLSearchParams(location.search);
const find = (selector) => document.querySelector(selector);
/** Field of view from top to bottom at a standstill, and the least from side to side (degrees). */
const [USUAL_VIEW, LEAST_ACROSS] = [52, 45];
/** Color of the ghost that Rapier's own controller drives. */
const CONTROLLER = 0x66e0ff;
const AID_KEYS = ["Digit1", "Digit2", "Digit3", "Digit4", "Digit5", "Digit6", "Digit7", "Digit8", "Digit9", "Digit0", "Minus"];

/** Titles that a list of little width shows from beginning to end. */
const SHORT_TITLES = {
  drift_car: "Drift car", gt: "GT race car", kart: "Kart", motorcycle: "Motorcycle", rally_car: "Rally car", sports_car: "Sports car",
  tank: "Battle tank", semi_tractor: "Tractor", "semi_tractor-semi_trailer": "Semi-trailer truck", "truck_6x6-tandem_trailer": "6x6 + trailer",
};

class Page {
  constructor(simulation, catalog, looks, state) {
    this.simulation = simulation;
    this.catalog = catalog;
    this.looks = looks;
    this.renderer = looks.renderer;
    this.state = state;
    this.scenery = new Scenery();
    this.camera = new THREE.PerspectiveCamera(55, 1, 0.1, 1600);
    looks.open(this.scenery, this.camera);
    this.effects = new Effects(this.scenery.scene);
    this.hud = new Hud();
    this.hud.buildLamps(catalog.aids, AID_KEYS.map((code) => code.replace("Digit", "").replace("Minus", "-")), (number) => {
      this.toggleAid(number);
    });
    this.sound = new Sound();
    document.addEventListener("visibilitychange", () => this.sound.pause(document.hidden));
    this.input = new Input(simulation, this.actions());
    this.shown = new Shown(simulation, {
      open: (scene) => this.open(scene),
      say: (text, time) => this.hud.say(text, time),
      takeOver: () => this.input.tellHeld(),
    });
    this.fillChooser("#vehicle", catalog.vehicles.map(({ name, title }) => [name, title || name, SHORT_TITLES[name]]),
      (vehicle) => this.begin({ vehicle }));
    const named = (name) => [name, name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase())];
    this.fillChooser("#world", catalog.worlds.map(named), (world) => this.begin({ world, start: 0 }));
    find("#help-button").onclick = () => this.toggleHelp();
    find("#sound-button").onclick = () => this.toggleSound();
    find("#link-button").onclick = () => this.copyLink();
    this.files = new Files(this);
    find("#file-button").onclick = () => this.files.choose();
    addEventListener("hashchange", () => this.openLink());
    addEventListener("resize", () => this.resize());
    const { domElement } = this.renderer;
    domElement.addEventListener("webglcontextlost", () => this.hud.say("The graphics card is away: the picture waits for it", LONG_NOTE));
    domElement.addEventListener("webglcontextrestored", () => {
      looks.restore();
      this.hud.say("The graphics card is back");
    });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => this.dropped(event));
    this.setup = { vehicle: "hot_hatch", world: "proving_ground", start: 0 };
    /** What is to be told with the next picture. */
    this.words = [];
    this.resize();
  }

  actions() {
    const { exports } = this.simulation;
    const next = (list, now) => list[(list.indexOf(now) + 1) % list.length];
    return {
      any: () => this.listen(),
      drive: () => (find("#hint").hidden = true),
      KeyR: () => exports.push_event(EVENTS.upright, 0),
      Backspace: () => exports.push_event(EVENTS.start, this.setup.start),
      KeyE: () => exports.push_event(EVENTS.gearUp, 0),
      KeyQ: () => exports.push_event(EVENTS.gearDown, 0),
      KeyT: () => exports.push_event(EVENTS.toggleGears, 0),
      KeyC: () => this.setCamera((this.cameraMode + 1) % CAMERAS.length),
      KeyG: () => this.toggleGhost(),
      KeyF: () => this.toggleForces(),
      KeyV: () => this.begin({ vehicle: next(this.catalog.vehicles.map(({ name }) => name), this.setup.vehicle) }),
      KeyN: () => this.begin({ world: next(this.catalog.worlds, this.setup.world), start: 0 }),
      KeyP: () => this.isRecorded() && this.replay(this.simulation.recording()),
      KeyO: () => this.isRecorded() && this.save(),
      KeyY: () => this.copyLink(),
      KeyM: () => this.toggleSound(),
      KeyH: () => this.toggleHelp(),
      ...Object.fromEntries(AID_KEYS.map((code, number) => [code, () => this.toggleAid(number)])),
    };
  }

  /** Choices are value, text, and a shorter one for the list, if there is one. */
  fillChooser(selector, choices, onChoice) {
    const chooser = find(selector);
    chooser.replaceChildren(...choices.map(([value, text, short]) => {
      const option = new Option(text, value);
      if (short) option.label = short;
      return option;
    }));
    chooser.onchange = () => {
      onChoice(chooser.value);
      chooser.blur();
      find("#view").focus();
    };
  }

  /** Begins another drive; what is not said stays. `text` is that of the vehicle's file, if it has one. */
  begin(changes, text) {
    const setup = { ...this.setup, ...changes };
    const chosen = this.vehicle && this.catalog.aids.map((_, number) => this.simulation.frame().aid(number));
    this.open(this.simulation.begin({ ...setup, file: text ?? this.files.texts.get(setup.vehicle) }));
    // Aids stay as they were chosen.
    chosen?.forEach((isOn, number) => this.setAid(number, isOn));
    this.input.tellHeld();
  }

  /** Begins the drive that the page's address says, or the usual one in the place of what is not there. */
  beginAsAddressed(shared = null) {
    const { camera, words } = beginAsAddressed(this, shared);
    if (options.has("ghost") && !this.ghost) this.toggleGhost();
    if (options.has("forces") && !this.effects.forces.group.visible) this.toggleForces();
    if (camera !== null) this.setCamera(camera);
    if (words.length) this.hud.say(words.join(" "), LONG_NOTE);
  }

  open(scene) {
    this.setup = scene.setup;
    this.cameraMode = 0;
    const { vehicle } = this.setup, chooser = find("#vehicle");
    if (![...chooser.options].some(({ value }) => value === vehicle)) chooser.add(new Option(vehicle));
    chooser.value = vehicle;
    find("#world").value = this.setup.world;
    this.fillChooser("#start", scene.starts.map(({ name }, index) => [index, name]), (start) => {
      this.setup.start = Number(start);
      this.simulation.exports.push_event(EVENTS.start, this.setup.start);
    });
    find("#start").value = this.setup.start;
    this.scenery.build(scene);
    if (this.crowd) discard(this.crowd.mesh);
    this.crowd = null;
    if (scene.crowd) {
      const count = this.simulation.frame().movingCount - scene.moving;
      this.crowd = new Crowd(scene.crowd, count, scene.moving);
      this.scenery.scene.add(this.crowd.mesh);
    }
    this.gates = scene.gates;
    this.ghost?.dispose();
    this.ghost = null;
    this.put(scene);
    this.hud.say(find("#vehicle").selectedOptions[0]?.text ?? scene.vehicle.title);
    this.shown.end();
  }

  /** The vehicle has been changed on the way. */
  change(scene) {
    this.put(scene);
    if (this.ghost) this.showGhost();
  }

  /** Draws the vehicle of a scene in the place of the one before. */
  put(scene) {
    this.car?.dispose();
    this.car = new Car(scene.vehicle);
    this.scenery.scene.add(this.car.group);
    this.trailer?.dispose();
    this.trailer = scene.trailer && new Car(scene.trailer);
    if (this.trailer) this.scenery.scene.add(this.trailer.group);
    this.laps?.dispose();
    this.laps = scene.gates.length ? new Laps(this.simulation, { ...scene, setup: this.setup }, (text) => this.words.push(text), !this.isOwn()) : null;
    this.vehicle = scene.vehicle;
    this.effects.build(scene.vehicle);
    this.looks.dress();
    this.hud.build(scene.vehicle);
  }

  /** Whether the vehicle is that of a file. */
  isOwn() {
    return !this.catalog.vehicles.some(({ name }) => name === this.setup.vehicle);
  }

  /** Whether others can see this drive; says why not. */
  isRecorded() {
    const isOwn = this.isOwn();
    if (isOwn) this.hud.say("The drive of a vehicle file is not recorded");
    return !isOwn;
  }

  setCamera(mode) {
    this.cameraMode = mode;
    this.simulation.exports.set_camera_mode(mode);
    this.hud.say(`Camera: ${CAMERAS[mode]}`);
  }

  setAid(number, isOn) {
    if (isOn !== this.simulation.frame().aid(number)) this.simulation.switchAid(number, isOn);
  }

  toggleAid(number) {
    const isOn = !this.simulation.frame().aid(number);
    this.simulation.switchAid(number, isOn);
    const [label, about] = this.catalog.aids[number];
    this.hud.say(isOn ? `${label}: ${about}` : `${label} off`);
  }

  toggleGhost() {
    const isShown = !this.ghost;
    this.simulation.setGhost(isShown);
    if (isShown) this.showGhost();
    else {
      this.ghost.dispose();
      this.ghost = null;
    }
    this.hud.say(isShown ? "Ghost: Rapier's own vehicle controller, same chassis, same inputs" : "Ghost off");
  }

  showGhost() {
    this.ghost?.dispose();
    this.ghost = new Car(this.vehicle, CONTROLLER);
    this.scenery.scene.add(this.ghost.group);
    this.looks.dress();
  }

  toggleForces() {
    const { group } = this.effects.forces;
    group.visible = !group.visible;
    this.hud.say(group.visible ? "Loads green, tire forces orange, circles: what friction allows" : "Forces off");
  }

  toggleHelp() {
    find("#help").hidden = !find("#help").hidden;
  }

  listen() {
    this.sound.begin();
    find("#sound-button").textContent = this.sound.isOn ? "Sound on" : "Sound off";
  }

  toggleSound() {
    const isOn = this.sound.context ? this.sound.toggle() : (this.sound.begin(), true);
    find("#sound-button").textContent = isOn ? "Sound on" : "Sound off";
  }

  /** Shows a recorded drive; whoever drives takes over. */
  replay(bytes) {
    this.shown.replay(bytes);
  }

  async openLink() {
    const shared = await sharedDrive();
    if (shared) this.shown.show(shared);
  }

  async copyLink() {
    if (!this.isRecorded()) return null;
    if (!canPack()) {
      this.hud.say("This browser cannot pack a drive into a link: Chrome can from 103 on, Firefox from 113 and Safari from 16.4", LONG_NOTE);
      return null;
    }
    const { link, isWhole, length } = await linkOf(this.setup, this.simulation.recording(), this.simulation.fingerprint());
    const kept = isWhole ? "The link shows this drive"
      : `This drive takes ${length} characters, and a link at most ${MOST}: it holds vehicle, world and place only. O saves the drive as a file`;
    try {
      await navigator.clipboard.writeText(link);
      this.hud.say(`Copied. ${kept}.`, isWhole ? 4 : LONG_NOTE);
    } catch {
      history.replaceState(null, "", link);
      this.hud.say(`This browser lets no page copy: the link is the page's address now. ${kept}.`, LONG_NOTE);
    }
    return link;
  }

  save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.simulation.recording()]));
    link.download = `${this.setup.vehicle}-${this.setup.world}.drive`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async dropped(event) {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    const name = file.name.toLowerCase();
    if (name.endsWith(".json")) {
      // Only the event itself hands it over.
      this.files.open(file, event.dataTransfer.items[0].getAsFileSystemHandle?.().catch(() => null));
      return;
    }
    if (!name.endsWith(".drive")) {
      this.hud.say(`${file.name}: the page reads .json and .drive`, LONG_NOTE);
      return;
    }
    try {
      this.replay(new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      this.hud.say(`${file.name}: ${error.message}`, LONG_NOTE);
    }
  }

  resize() {
    const [width, height] = [innerWidth, innerHeight];
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** A picture, `elapsed` after the last one (s); or all but the picture. */
  tick(elapsed, isShown = true) {
    const dt = Math.min(elapsed, 0.1);
    this.input.update(dt);
    const before = performance.now();
    const steps = this.simulation.advance(elapsed);
    const frame = this.simulation.frame();
    this.state.stepSeconds += (performance.now() - before) / 1000;
    this.state.steps += steps;
    this.state.drivenSeconds += steps / 60;
    this.draw(frame, dt, isShown);
    this.state.frames += 1;
    this.tell(frame);
    this.laps?.follow(frame);
  }

  draw(frame, dt, isShown) {
    const { numbers } = frame;
    this.car.update(numbers, frame.at("body"), (wheel) => frame.wheelAt(wheel, "pose"));
    this.trailer?.update(numbers, frame.trailerAt(0), (wheel) => frame.trailerAt(1 + wheel));
    const isReversing = frame.gear.startsWith("R");
    for (const car of [this.car, this.trailer]) car?.light(0.02 < frame.get("brake"), isReversing);
    this.ghost?.update(numbers, frame.at("ghostBody"), (wheel) => frame.wheelAt(wheel, "ghostPose"));
    this.crowd?.update(frame);
    this.laps?.update(frame, this.scenery.scene, () => this.looks.dress());
    this.shown.follow(frame);
    if (this.words.length) this.hud.say(this.words.splice(0).join(" "), LONG_NOTE);
    this.camera.position.fromArray(numbers, frame.at("eye"));
    this.camera.up.fromArray(numbers, frame.at("up"));
    this.camera.lookAt(...numbers.subarray(frame.at("target"), frame.at("target") + 3));
    this.camera.fov = fieldOfView(this.camera.aspect, frame.get("speed"));
    this.camera.updateProjectionMatrix();
    this.car.group.visible = this.cameraMode !== 1;
    this.effects.update(frame, dt, this.renderer.domElement.height);
    this.scenery.update(frame, this.car.body.position, this.camera.position);
    this.hud.update(frame);
    this.sound.update(frame, !this.vehicle.engine);
    if (isShown) this.looks.draw();
  }

  tell(frame) {
    const at = frame.at("body");
    const place = [...frame.numbers.subarray(at, at + 3)];
    const [x, y, z, w] = frame.numbers.subarray(at + 3, at + 7);
    Object.assign(this.state, {
      ready: true, place, speed: frame.get("speed"), gear: frame.gear, simulationSteps: frame.get("steps"),
      heading: Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)),
      ghost: this.ghost ? [...frame.numbers.subarray(frame.at("ghostBody"), frame.at("ghostBody") + 3)] : null,
      isReplaying: 0.5 < frame.get("replaying"), setup: this.setup,
      laps: this.laps && { count: frame.get("lapCount"), current: frame.get("lap"), best: frame.get("bestLap"),
        ghost: 0.5 < frame.get("bestShown") ? [...frame.numbers.subarray(frame.at("bestPose"), frame.at("bestPose") + 3)] : null },
    });
  }
}

/** Field of view from top to bottom (degrees): the usual one, wider at speed, and on a phone that stands. */
function fieldOfView(aspect, speed) {
  const narrow = 2 * THREE.MathUtils.radToDeg(Math.atan(Math.tan(THREE.MathUtils.degToRad(0.5 * LEAST_ACROSS)) / aspect));
  return Math.max(USUAL_VIEW + Math.min(Math.abs(speed) * 0.25, 16), narrow);
}

/** What an address asks for, as far as it is there; and a word about what is not. */
function addressed(options, catalog) {
  const changes = {}, words = [];
  const known = { vehicle: catalog.vehicles.map(({ name }) => name), world: catalog.worlds };
  for (const [what, names] of Object.entries(known)) {
    const name = options.get(what);
    if (name === null) continue;
    if (names.includes(name)) changes[what] = name;
    else words.push(`There is no ${what} "${name}". There are: ${names.join(", ")}.`);
  }
  const start = Number(options.get("start") ?? 0);
  if (Number.isInteger(start) && 0 <= start) changes.start = start;
  else words.push(`There is no place "${options.get("start")}".`);
  const quality = options.get("quality");
  if (quality !== null && !QUALITY_NAMES.includes(quality)) {
    words.push(`There is no quality "${quality}". There are: ${QUALITY_NAMES.join(", ")}.`);
  }
  const asked = options.get("camera");
  const camera = CAMERAS.findIndex((_, number) => String(number) === asked);
  if (asked !== null && camera < 0) {
    words.push(`There is no camera "${asked}". There are: ${CAMERAS.map((name, number) => `${number} (${name})`).join(", ")}.`);
  }
  return { changes, words, camera: camera < 0 ? null : camera };
}

/** Begins the drive of the address in `front`, or the usual one in the place of what is not there, and tells that. */
function beginAsAddressed(front, shared) {
  const { changes, words, camera } = addressed(options, front.catalog);
  front.hud.hint();
  try {
    front.begin(changes);
  } catch (error) {
    front.begin({ ...changes, start: 0 });
    words.push(sentence(error.message));
  }
  if (shared) front.shown.show(shared);
  if (words.length) front.hud.say(words.join(" "), LONG_NOTE);
  return { words, camera };
}

/** The drive in the page's address, if there is one. */
async function sharedDrive() {
  try {
    return await driveOf(location.hash);
  } catch (error) {
    return { fault: error.message };
  }
}

function fail(error) {
  find("#failure").hidden = false;
  window.playground?.sound?.end();
  find("#failure").textContent = `The page cannot drive.\n\n${error.message ?? error}`;
  throw error;
}

/** What draws in three dimensions; none in a browser that cannot. */
function openLooks(tell) {
  try {
    return new Looks(find("#view"), options.get("quality"), tell);
  } catch (error) {
    console.info(`No WebGL: ${error.message}`);
    return null;
  }
}

/** The drive from above, where there is no WebGL. */
async function driveFlat(simulation, state) {
  const flat = new Flat(simulation, simulation.catalog(), state);
  window.playground = flat;
  beginAsAddressed(flat, await sharedDrive());
  flat.run(fail);
}

async function main() {
  const loading = Simulation.load(wasm);
  // What a test reads; `events` are the steps from the page's address to its finest picture.
  const state = { ready: false, frames: 0, steps: 0, stepSeconds: 0, drivenSeconds: 0, events: [] };
  const tell = (event) => {
    performance.mark(`playground: ${event}`);
    const { programs, memory } = looks.renderer.info;
    state.events.push({ event, programs: programs.length, textures: memory.textures });
  };
  const looks = openLooks(tell);
  const simulation = await loading;
  if (!looks) return driveFlat(simulation, state);
  tell("simulation");
  const page = new Page(simulation, simulation.catalog(), looks, state);
  window.playground = page;
  page.beginAsAddressed(await sharedDrive());
  tell("world");
  looks.refine().catch(fail);
  if (options.get("hud") === "0") for (const part of document.querySelectorAll(".hud, #bar, #words")) part.style.display = "none";
  let last = performance.now();
  page.renderer.setAnimationLoop((now) => {
    try {
      page.tick(Math.max(now - last, 0) / 1000);
    } catch (error) {
      page.renderer.setAnimationLoop(null);
      fail(error);
    }
    last = now;
  });
}

main().catch(fail);
