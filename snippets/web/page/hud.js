// Instruments: speed, engine speed, gear, accelerations, what each tire does.

const TRAIL = 90;
/** Wheels up to which tiles tell all. */
const MOST_LARGE_TILES = 6;
/** Letters of a note that are read in a second. */
const READ_PER_SECOND = 15;

function sharp(canvas) {
  const context = canvas.getContext("2d");
  return [context, canvas.width, canvas.height];
}

/** A number without the sign of what is rounded away. */
function fixed(value, digits) {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/** A force of so many newtons, in the unit that shows it. */
function force(newtons) {
  return newtons < 1000 ? `${fixed(newtons, 0)} N` : `${fixed(newtons / 1000, 1)} kN`;
}

function tireColor(used) {
  return `hsl(${Math.round(135 * (1 - Math.min(used, 1)))} 75% 55%)`;
}

export class Hud {
  constructor() {
    this.dash = document.querySelector("#dash");
    this.gg = document.querySelector("#gg");
    this.tires = document.querySelector("#tires");
    this.note = document.querySelector("#note");
    this.note.onclick = () => this.note.classList.remove("shown");
    this.lamps = [];
    this.trail = [];
    this.beat = 0;
  }

  build(vehicle) {
    this.vehicle = vehicle;
    this.trail = [];
    // Front axle first, the left wheel on the left.
    const order = vehicle.wheels.map(({ place }, wheel) => ({ place, wheel }));
    const near = 0.5 * vehicle.wheels[0].radius;
    order.sort((a, b) => (near < Math.abs(a.place[2] - b.place[2]) ? b.place[2] - a.place[2] : b.place[0] - a.place[0]));
    this.tires.replaceChildren();
    // Many wheels have small tiles, with their loads.
    this.tires.classList.toggle("many", MOST_LARGE_TILES < order.length);
    this.tires.classList.toggle("single", vehicle.wheels.every(({ place }) => place[0] === 0));
    this.tiles = order.map(({ wheel }) => {
      const tile = document.createElement("div");
      tile.className = "tire";
      tile.innerHTML = "<b></b><span></span><span></span><span></span><i></i>";
      this.tires.append(tile);
      const [load, slip, angle, grip, bar] = tile.children;
      return { wheel, load, angle, slip, grip, bar };
    });
  }

  /** A lamp for each driver aid, which switches it. */
  buildLamps(aids, keys, toggle) {
    this.lamps = aids.map(([label, about], number) => {
      const lamp = document.createElement("button");
      lamp.textContent = label;
      lamp.title = `${about} (${keys[number]})`;
      lamp.onclick = () => toggle(number);
      return lamp;
    });
    document.querySelector("#aids").replaceChildren(...this.lamps);
  }

  /** Tells something for a time (s), or as long as it takes to read; a list of lines until it is clicked, at most. */
  say(text, time = 2.6) {
    this.note.textContent = text;
    this.note.classList.toggle("list", text.includes("\n"));
    this.note.classList.add("shown");
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => this.note.classList.remove("shown"), 1000 * Math.max(time, text.length / READ_PER_SECOND));
  }

  /** How to drive, until someone does. */
  hint() {
    const hint = document.querySelector("#hint");
    if (matchMedia("(pointer: coarse)").matches) hint.textContent = "Slide the knob to steer, gas and brake drive, C looks from elsewhere";
    hint.hidden = false;
  }

  update(frame) {
    this.drawDash(frame);
    this.lamps.forEach((lamp, number) => {
      const { classList } = lamp, isOn = frame.aid(number);
      if (lamp.getAttribute("aria-pressed") !== String(isOn)) lamp.setAttribute("aria-pressed", isOn);
      classList.toggle("on", isOn);
      classList.toggle("acts", frame.aid(number, "actingAids"));
    });
    this.trail.push([frame.get("sideways"), frame.get("forward")]);
    if (TRAIL < this.trail.length) this.trail.shift();
    this.drawAccelerations();
    this.beat = (this.beat + 1) % 4;
    if (this.beat === 0) this.writeTires(frame);
  }

  writeTires(frame) {
    for (const { wheel, load, angle, slip, grip, bar } of this.tiles) {
      const used = frame.wheel(wheel, "used");
      load.textContent = force(frame.wheel(wheel, "load"));
      const shown = Math.max(-999, Math.min(999, 100 * frame.wheel(wheel, "slip")));
      slip.textContent = `slip ${fixed(shown, 0)} %`;
      angle.textContent = `slip angle ${fixed((frame.wheel(wheel, "angle") * 180) / Math.PI, 1)}°`;
      grip.textContent = `grip left ${Math.max(0, 100 * (1 - used)).toFixed(0)} %`;
      bar.style.setProperty("--used", `${Math.min(100, 100 * used)}%`);
      bar.style.setProperty("--color", tireColor(used));
    }
  }

  drawDash(frame) {
    const [context, width, height] = sharp(this.dash);
    context.clearRect(0, 0, width, height);
    const engine = frame.get("engine");
    const range = this.vehicle.engine;
    const most = range ? range[1] * 9.5493 : 14000;
    const top = Math.ceil(most / 1000) * 1000;
    const [x, y, radius] = [112, 118, 90];
    const [begin, end] = [0.75 * Math.PI, 2.25 * Math.PI];
    const angle = (share) => begin + (end - begin) * Math.min(Math.max(share, 0), 1);
    const arc = (from, to, color, line) => {
      context.strokeStyle = color;
      context.lineWidth = line;
      context.beginPath();
      context.arc(x, y, radius, angle(from), angle(to));
      context.stroke();
    };
    arc(0, 1, "rgba(255,255,255,0.18)", 10);
    arc((most * 0.94) / top, 1, "rgba(255,80,70,0.75)", 10);
    if (0 <= engine) arc(0, engine / top, "#ffb648", 10);
    context.fillStyle = "#b9c4cf";
    context.font = "15px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    const step = 9000 < top ? 2000 : 1000;
    for (let speed = 0; speed <= top; speed += step) {
      const at = angle(speed / top);
      context.fillText(String(speed / 1000), x + 70 * Math.cos(at), y + 70 * Math.sin(at));
    }
    context.fillStyle = "#fff";
    context.font = "700 54px system-ui, sans-serif";
    context.fillText(frame.gear || "-", x, y - 2);
    context.font = "14px system-ui, sans-serif";
    context.fillStyle = "#b9c4cf";
    context.fillText(frame.get("manual") ? "manual" : "automatic", x, y + 38);
    context.fillText(0 <= engine ? `${Math.round(engine / 10) * 10} rpm` : "", x, y + 74);
    context.textAlign = "right";
    context.fillStyle = "#fff";
    context.font = "700 84px system-ui, sans-serif";
    context.fillText(String(Math.round(Math.abs(frame.get("speed")) * 3.6)), 392, 84);
    context.textAlign = "left";
    context.font = "18px system-ui, sans-serif";
    context.fillStyle = "#b9c4cf";
    context.fillText("km/h", 400, 104);
    const bar = (top2, share, color, label) => {
      context.fillStyle = "rgba(255,255,255,0.14)";
      context.fillRect(270, top2, 170, 9);
      context.fillStyle = color;
      context.fillRect(270, top2, 170 * share, 9);
      context.fillStyle = "#b9c4cf";
      context.font = "13px system-ui, sans-serif";
      context.fillText(label, 222, top2 + 5);
    };
    bar(142, frame.get("throttle"), "#5ad17a", "gas");
    bar(162, frame.get("brake"), "#ff5a50", "brake");
    context.fillStyle = "rgba(255,255,255,0.14)";
    context.fillRect(270, 182, 170, 9);
    context.fillStyle = "#4fc3ff";
    const steer = -frame.get("steer");
    context.fillRect(355 + Math.min(0, 85 * steer), 182, Math.abs(85 * steer) + 1, 9);
    context.fillStyle = "#b9c4cf";
    context.fillText("steer", 222, 187);
  }

  drawAccelerations() {
    const [context, width, height] = sharp(this.gg);
    context.clearRect(0, 0, width, height);
    const [x, y, scale] = [width / 2, height / 2, 80];
    context.strokeStyle = "rgba(255,255,255,0.2)";
    context.lineWidth = 1.5;
    for (const g of [0.5, 1]) {
      context.beginPath();
      context.arc(x, y, g * scale, 0, 2 * Math.PI);
      context.stroke();
    }
    context.beginPath();
    context.moveTo(x - 96, y);
    context.lineTo(x + 96, y);
    context.moveTo(x, y - 96);
    context.lineTo(x, y + 96);
    context.stroke();
    context.fillStyle = "#b9c4cf";
    context.font = "14px system-ui, sans-serif";
    context.fillText("1 g", x + 62, y - 66);
    this.trail.forEach(([sideways, forward], age) => {
      const isLast = age === this.trail.length - 1;
      context.fillStyle = isLast ? "#ffb648" : `rgba(255,182,72,${(0.5 * age) / TRAIL})`;
      context.beginPath();
      context.arc(x - sideways * scale, y - forward * scale, isLast ? 7 : 2.5, 0, 2 * Math.PI);
      context.fill();
    });
  }
}
