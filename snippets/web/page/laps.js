// Laps: the timer, the ghost of the best lap, and where that is kept between visits.
import { Car } from "./car.js";
import { sentence } from "./shown.js";

const GHOST = 0xffffff;
const find = (selector) => document.querySelector(selector);
const keptAs = ({ vehicle, world }) => `playground lap/${world}/${vehicle}`;

/** A time as drivers say it: minutes, seconds, thousandths. */
export function lapTime(seconds) {
  if (seconds < 0) return "-:--.---";
  const thousandths = Math.round(1000 * seconds);
  const [minutes, rest] = [Math.floor(thousandths / 60_000), thousandths % 60_000];
  return `${minutes}:${(rest / 1000).toFixed(3).padStart(6, "0")}`;
}

/** A difference of times, with its sign. */
function difference(seconds) {
  return `${seconds < 0 ? "\u2212" : "+"}${Math.abs(seconds).toFixed(2)}`;
}

export class Laps {
  /** Of the drive that has begun in a world with laps; `say` tells what could not be read. Laps are kept if `isKept`. */
  constructor(simulation, { setup, vehicle, trailer }, say, isKept) {
    Object.assign(this, { simulation, setup, vehicle, trailer, say, isKept, ghost: null, ghostTrailer: null, count: 0, best: -1, own: -1 });
    this.restore();
    find("#laps").hidden = false;
  }

  /** The best lap of an earlier visit is the one to beat. */
  restore() {
    if (!this.isKept) return;
    try {
      const text = localStorage.getItem(keptAs(this.setup));
      if (text) this.simulation.setBestLap(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
      const frame = this.simulation.frame();
      [this.best, this.own] = ["bestLap", "ownBestLap"].map((name) => frame.get(name));
    } catch (error) {
      this.say(sentence(`The best lap that this browser kept is left out: ${error.message}`));
    }
  }

  keep() {
    try {
      const bytes = this.simulation.bestLap();
      localStorage.setItem(keptAs(this.setup), btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), "")));
    } catch (error) {
      this.say(sentence(`This browser does not keep the lap: ${error.message}`));
    }
  }

  update(frame, scene, dress) {
    this.write(frame);
    const isShown = 0.5 < frame.get("bestShown");
    if (isShown && !this.ghost) {
      this.ghost = new Car(this.vehicle, GHOST);
      this.ghostTrailer = this.trailer && new Car(this.trailer, GHOST);
      for (const car of [this.ghost, this.ghostTrailer]) if (car) scene.add(car.group);
      dress();
    }
    this.move(this.ghost, frame, "best");
    this.move(this.ghostTrailer, frame, "bestTrailer");
  }

  /** Puts a ghost where it was in the best lap, if it was there then. */
  move(ghost, frame, name) {
    if (!ghost) return;
    ghost.group.visible = 0.5 < frame.get(`${name}Shown`);
    if (ghost.group.visible) ghost.roll(frame.numbers, frame.at(`${name}Pose`));
  }

  /** Tells what the last lap was worth, and keeps it if it is the best one of the driver. Last, as memory that grows takes the
   * numbers of a frame away. */
  follow(frame) {
    const count = frame.get("lapCount");
    if (count === this.count) return;
    this.count = count;
    const [last, before] = [frame.get("lastLap"), this.best];
    this.best = frame.get("bestLap");
    const worth = before < 0 ? "" : `, ${difference(last - before)} s to the best`;
    this.say(`Lap of ${lapTime(last)}${worth}`);
    // What is replayed may be someone else's.
    const own = frame.get("ownBestLap"), isBetter = 0 <= own && (this.own < 0 || own < this.own);
    this.own = own;
    if (this.isKept && isBetter) this.keep();
  }

  write(frame) {
    const [lap, last, best] = ["lap", "lastLap", "bestLap"].map((name) => frame.get(name));
    find("#lap").textContent = lapTime(lap);
    find("#last-lap").textContent = lapTime(last);
    find("#best-lap").textContent = lapTime(best);
    const isMissed = 0.5 < frame.get("missed");
    find("#missed").hidden = !isMissed;
    find("#sectors").hidden = isMissed;
    [...find("#sectors").children].forEach((sector, number) => {
      const [now, then] = ["sectors", "bestSectors"].map((name) => frame.numbers[frame.at(name) + number]);
      sector.textContent = now < 0 ? `S${number + 1}` : then < 0 ? now.toFixed(2) : difference(now - then);
      sector.className = now < 0 || then < 0 ? "" : now <= then ? "faster" : "slower";
    });
  }

  dispose() {
    for (const car of [this.ghost, this.ghostTrailer]) car?.dispose();
    find("#laps").hidden = true;
  }
}
