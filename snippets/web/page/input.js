// Keys, gamepads and fingers.
import { EVENTS, KEYS } from "./simulation.js";

const HELD = {
  KeyW: "forward", ArrowUp: "forward", KeyS: "backward", ArrowDown: "backward",
  KeyA: "left", ArrowLeft: "left", KeyD: "right", ArrowRight: "right", Space: "handBrake",
};
const FLIGHT = { KeyI: [1, 0, 0], KeyK: [-1, 0, 0], KeyJ: [0, 1, 0], KeyL: [0, -1, 0], KeyU: [0, 0, 1], KeyB: [0, 0, -1] };
const FLIGHT_SPEED = 18;
/** Share of its travel from which on an axis of a gamepad counts as moved. */
const MOVED = 0.25;
/** Keys by which someone presses a button that has the focus. */
const PRESSING = ["Space", "Enter"];

/** Whether a key is for the part of the page that has the focus, and not for the drive. */
function isForPart({ target, code }) {
  const part = target instanceof Element ? target : null;
  return Boolean(part?.closest("select, input") || (part?.closest("button") && PRESSING.includes(code)));
}

export class Input {
  /** `actions` are called by the code of their key. */
  constructor(simulation, actions) {
    this.simulation = simulation;
    this.actions = actions;
    /** Codes of keys that are held. */
    this.held = new Set();
    this.touch = { throttle: 0, brake: 0, steer: 0, handBrake: 0 };
    this.padButtons = [];
    addEventListener("keydown", (event) => this.key(event, true));
    addEventListener("keyup", (event) => this.key(event, false));
    addEventListener("blur", () => this.release());
    // Who clicks on a button goes on driving; who presses it by a key stays there.
    addEventListener("click", ({ detail, target }) => {
      if (detail && target.closest?.("button")) document.querySelector("#view").focus();
    });
    document.addEventListener("visibilitychange", () => document.hidden && this.release());
    this.listenToPointer(document.querySelector("#view"));
    this.listenToTouch();
  }

  release() {
    this.simulation.exports.release_keys();
    this.held.clear();
    Object.assign(this.touch, { throttle: 0, brake: 0, steer: 0, handBrake: 0 });
  }

  key(event, isDown) {
    const { code } = event;
    // A key that is let go is let go, whatever else is held.
    if (!isDown) {
      if (this.held.delete(code) && HELD[code]) this.tell(HELD[code]);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    this.actions.any?.();
    if (isForPart(event)) return;
    if (HELD[code] || FLIGHT[code]) {
      const isNew = !this.held.has(code);
      this.held.add(code);
      if (HELD[code] && isNew) {
        this.tell(HELD[code]);
        this.actions.drive?.();
      }
    } else if (!this.actions[code]) return;
    else if (!event.repeat) this.actions[code]();
    event.preventDefault();
  }

  /** Tells the simulation whether any key for this is held. */
  tell(name) {
    const isHeld = [...this.held].some((code) => HELD[code] === name);
    this.simulation.exports.set_key(KEYS[name], isHeld);
  }

  /** Tells a drive that has begun which keys are held. */
  tellHeld() {
    for (const name of new Set([...this.held].map((code) => HELD[code]).filter(Boolean))) this.tell(name);
  }

  listenToPointer(view) {
    const { exports } = this.simulation;
    let isDragging = false;
    view.addEventListener("pointerdown", (event) => {
      isDragging = true;
      view.setPointerCapture(event.pointerId);
      view.focus();
    });
    view.addEventListener("pointerup", () => (isDragging = false));
    view.addEventListener("pointermove", (event) => {
      if (isDragging) exports.turn_camera(-0.006 * event.movementX, 0.006 * event.movementY, 1);
    });
    view.addEventListener("wheel", (event) => {
      exports.turn_camera(0, 0, Math.exp(0.001 * event.deltaY));
      event.preventDefault();
    }, { passive: false });
  }

  listenToTouch() {
    const pad = document.querySelector("#touch");
    if (matchMedia("(pointer: coarse)").matches || 0 < navigator.maxTouchPoints) pad.hidden = false;
    const pedal = (id, name) => {
      const button = document.querySelector(id);
      const set = (value) => (event) => {
        this.actions.any?.();
        if (value) this.actions.drive?.();
        this.touch[name] = value;
        event.preventDefault();
      };
      button.addEventListener("pointerdown", set(1));
      for (const end of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(end, set(0));
    };
    pedal("#touch-throttle", "throttle");
    pedal("#touch-brake", "brake");
    pedal("#touch-hand", "handBrake");
    document.querySelector("#touch-reset").addEventListener("click", () => this.actions.KeyR());
    document.querySelector("#touch-camera").addEventListener("click", () => this.actions.KeyC());
    const [stick, knob] = [document.querySelector("#stick"), document.querySelector("#knob")];
    const move = (event) => {
      const bounds = stick.getBoundingClientRect();
      const share = (event.clientX - bounds.left) / bounds.width;
      this.touch.steer = Math.max(-1, Math.min(1, 1.3 * (1 - 2 * share)));
      knob.style.left = `${12 + (bounds.width - 90) * Math.max(0, Math.min(1, share))}px`;
    };
    stick.addEventListener("pointerdown", (event) => {
      this.actions.any?.();
      this.actions.drive?.();
      stick.setPointerCapture(event.pointerId);
      move(event);
    });
    stick.addEventListener("pointermove", (event) => stick.hasPointerCapture(event.pointerId) && move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      stick.addEventListener(end, () => {
        // Some browsers let a sound begin only as a finger is lifted.
        this.actions.any?.();
        this.touch.steer = 0;
        knob.style.left = "";
      });
    }
  }

  /** Hands gamepad, fingers and flight over, once in a frame. */
  update(dt) {
    const { exports } = this.simulation;
    const pad = [...(navigator.getGamepads?.() ?? [])].find((one) => one?.connected);
    const value = (button) => pad?.buttons[button]?.value ?? 0;
    const { touch } = this;
    const isMoved = [value(7), value(6), value(0), Math.abs(pad?.axes[0] ?? 0)].some((axis) => MOVED < axis);
    if (isMoved && !this.isPadMoved) this.actions.drive?.();
    this.isPadMoved = isMoved;
    exports.set_gamepad(Math.max(value(7), touch.throttle), Math.max(value(6), touch.brake),
      touch.steer || -(pad?.axes[0] ?? 0), Math.max(value(0), touch.handBrake));
    const pressed = (button) => {
      const isDown = 0.5 < value(button);
      const isNew = isDown && !this.padButtons[button];
      this.padButtons[button] = isDown;
      return isNew;
    };
    if (pressed(5)) exports.push_event(EVENTS.gearUp, 0);
    if (pressed(4)) exports.push_event(EVENTS.gearDown, 0);
    if (pressed(3)) this.actions.KeyC();
    if (pressed(1)) this.actions.KeyR();
    for (const code of this.held) if (FLIGHT[code]) exports.fly_camera(...FLIGHT[code].map((part) => part * FLIGHT_SPEED * dt));
  }
}
