// Without WebGL: why there is no picture, and the drive on a map, by what every browser draws.
import { Hud } from "./hud.js";
import { Input } from "./input.js";
import { Laps } from "./laps.js";
import { LONG_NOTE, Shown } from "./shown.js";
import { EVENTS } from "./simulation.js";

const WHY = "This browser does not offer WebGL 2, which the picture of the drive needs: hardware acceleration is switched off, or "
  + "the graphics card or its driver is blocked. The simulation itself runs: here it is on a map. Firefox, Chrome, Edge and "
  + "Safari of the last years have WebGL 2; about:support or chrome://gpu tell why it is off.";
const COLORS = { concrete: "#9b9a94", wet: "#34404c", ice: "#cfe8f5", sand: "#b49a6b", grass: "#5f7a42", kerb: "#b9b4aa", steel: "#7d8fa1",
  wood: "#a87848", cone: "#ff6a1f", asphalt: "#5c5d5f", white: "#e8e6e0", red: "#b3201c" };
/** Pixels per meter. */
const SCALE = 11;

/** Place of seven numbers of a pose, and the heading of what turns about its axle, to the left. */
function pose([x, , z, i, j, k, w]) {
  return [x, z, Math.atan2(2 * (w * j - i * k), 1 - 2 * (j * j + k * k))];
}

/** From here on, numbers are those of something at this place with this heading. */
function put(context, [left, forward, turn]) {
  context.translate(-left, -forward);
  context.rotate(-turn);
}

export class Flat {
  constructor(simulation, catalog, state) {
    Object.assign(this, { simulation, catalog, state });
    for (const choice of document.querySelectorAll("#bar label, #bar button, #aids")) choice.style.display = "none";
    const why = document.createElement("p");
    [why.id, why.textContent] = ["why", WHY];
    document.body.append(why);
    // What was asked for WebGL gives no other context.
    const old = document.querySelector("#view");
    this.view = old.cloneNode();
    old.replaceWith(this.view);
    this.setup = { vehicle: "hot_hatch", world: "proving_ground", start: 0 };
    this.hud = new Hud();
    const { exports } = simulation;
    this.input = new Input(simulation, {
      drive: () => (document.querySelector("#hint").hidden = true),
      KeyR: () => exports.push_event(EVENTS.upright, 0),
      Backspace: () => exports.push_event(EVENTS.start, this.setup.start),
      KeyE: () => exports.push_event(EVENTS.gearUp, 0),
      KeyQ: () => exports.push_event(EVENTS.gearDown, 0),
      KeyT: () => exports.push_event(EVENTS.toggleGears, 0),
      KeyC() {},
    });
    this.shown = new Shown(simulation, {
      open: (scene) => this.open(scene),
      say: (text, time) => this.hud.say(text, time),
      takeOver: () => this.input.tellHeld(),
    });
  }

  /** Begins another drive; what is not said stays. */
  begin(changes) {
    this.open(this.simulation.begin({ ...this.setup, ...changes }));
  }

  open(scene) {
    Object.assign(this, { scene, setup: scene.setup });
    this.hud.build(scene.vehicle);
    this.laps?.dispose();
    this.laps = scene.gates.length ? new Laps(this.simulation, scene, (text) => this.hud.say(text, LONG_NOTE), true) : null;
    this.shown.end();
  }

  /** Draws picture after picture; `fail` gets what goes wrong. */
  run(fail) {
    let last = performance.now();
    const next = (now) => {
      try {
        this.tick(Math.max(now - last, 0) / 1000);
      } catch (error) {
        fail(error);
      }
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }

  tick(elapsed) {
    this.input.update(Math.min(elapsed, 0.1));
    this.simulation.advance(elapsed);
    const frame = this.simulation.frame();
    this.draw(frame);
    this.hud.update(frame);
    this.laps?.write(frame);
    this.shown.follow(frame);
    Object.assign(this.state, { ready: true, speed: frame.get("speed"), simulationSteps: frame.get("steps"), setup: this.setup,
      isReplaying: 0.5 < frame.get("replaying"), laps: this.laps && { count: frame.get("lapCount"), best: frame.get("bestLap") } });
    this.laps?.follow(frame);
  }

  /** The world and the vehicle from above, whose heading is up. */
  draw(frame) {
    const { view, scene: { parts, vehicle, trailer, moving } } = this;
    [view.width, view.height] = [innerWidth, innerHeight];
    const context = view.getContext("2d");
    // The ground itself is what is drawn on.
    const isGround = ({ shape }) => shape.box && 100 < shape.box[0];
    context.fillStyle = COLORS[parts.find(isGround)?.surface ?? "asphalt"];
    context.fillRect(0, 0, view.width, view.height);
    const at = (start) => pose(frame.numbers.subarray(start, start + 7));
    const [x, z, heading] = at(frame.at("body"));
    // Meters, left and forward are negative on the canvas.
    context.translate(view.width / 2, 0.62 * view.height);
    context.scale(SCALE, SCALE);
    context.rotate(heading);
    context.translate(x, z);
    // Lines of squares of 10 m, by which speed is seen.
    context.strokeStyle = "#6e6f71";
    context.lineWidth = 0.1;
    context.beginPath();
    for (let line = -100; line <= 100; line += 10) {
      const [left, forward] = [line - x + (x % 10), line - z + (z % 10)];
      context.moveTo(left, -z - 100);
      context.lineTo(left, -z + 100);
      context.moveTo(-x - 100, forward);
      context.lineTo(-x + 100, forward);
    }
    context.stroke();
    for (const { shape, surface, place, rotation, body } of parts.filter((part) => !isGround(part))) {
      context.save();
      if (body !== null && body < moving) put(context, at(frame.movingAt(body)));
      put(context, pose([...place, ...rotation]));
      context.fillStyle = COLORS[surface] ?? COLORS.concrete;
      context.beginPath();
      if (shape.box) context.rect(-shape.box[0], -shape.box[2], 2 * shape.box[0], 2 * shape.box[2]);
      else if (shape.cylinder) context.arc(0, 0, shape.cylinder[1], 0, 7);
      else for (let corner = 0; corner < shape.triangles.length; corner++) {
        const [left, , forward] = shape.corners.slice(3 * shape.triangles[corner], 3 * shape.triangles[corner] + 3);
        context[corner % 3 ? "lineTo" : "moveTo"](-left, -forward);
      }
      context.fill();
      context.restore();
    }
    this.drawVehicle(context, vehicle, at(frame.at("body")), (wheel) => at(frame.wheelAt(wheel, "pose")));
    context.globalAlpha = 0.4;
    for (const [ghost, name] of [[vehicle, "best"], [trailer, "bestTrailer"]]) {
      if (ghost && 0.5 < frame.get(`${name}Shown`)) this.drawVehicle(context, { ...ghost, wheels: [] }, at(frame.at(`${name}Pose`)));
    }
    context.globalAlpha = 1;
    if (trailer) this.drawVehicle(context, trailer, at(frame.trailerAt(0)), (wheel) => at(frame.trailerAt(1 + wheel)));
  }

  drawVehicle(context, vehicle, body, wheelPose) {
    vehicle.wheels.forEach(({ radius, halfWidth }, wheel) => {
      context.save();
      put(context, wheelPose(wheel));
      context.fillStyle = "#17181a";
      context.fillRect(-halfWidth, -radius, 2 * halfWidth, 2 * radius);
      context.restore();
    });
    context.save();
    put(context, body);
    const color = (number) => `#${vehicle.colors[number].toString(16).padStart(6, "0")}`;
    const paints = { body: color(0), load: color(1), glass: "#0b1016", head: "#f4f8ff", brake: "#ff2020" };
    const top = ({ outline, ends }) => Math.max(...(outline ?? ends).map(([, up]) => up));
    for (const part of [...vehicle.parts].sort((a, b) => top(a) - top(b))) {
      context.fillStyle = context.strokeStyle = paints[part.paint] ?? "#3a3c3e";
      if (part.ends) {
        context.lineWidth = 2 * part.radius;
        context.beginPath();
        for (const [left, , forward] of part.ends) context.lineTo(-left, -forward);
        context.stroke();
      } else {
        const along = part.outline.map(([forward]) => forward);
        const [rear, front, half] = [Math.min(...along), Math.max(...along), Math.max(...part.half)];
        context.fillRect(-part.across - half, -front, 2 * half, front - rear);
      }
    }
    context.restore();
  }
}
