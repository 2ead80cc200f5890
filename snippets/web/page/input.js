// Keys, gamepads and fingers.
import { EVENTS, KEYS } from "./simulation.js";

const HELD = {
  KeyW: "forward", ArrowUp: "forward", KeyS: "backward", ArrowDown: "backward",
  KeyA: "left", ArrowLeft: "left", KeyD: "right", ArrowRight: "right", Space: "handBrake",
};
const FLIGHT = { KeyI: [1, 0, 0], KeyK: [-1, 0, 0], KeyJ: [0, 1, 0], KeyL: [0, -1, 0], KeyU: [0, 0, 1], KeyB: [0, 0, -1] };
const FLIGHT_SPEED = 18;

export class Input {
  /** `actions` are called by the code of their key. */
  constructor(simulation, actions) {
    this.simulation = simulation;
    this.actions = actions;
    this.flying = new Set();
    this.touch = { throttle: 0, brake: 0, steer: 0, handBrake: 0 };
    this.padButtons = [];
    addEventListener("keydown", (event) => this.key(event, true));
    addEventListener("keyup", (event) => this.key(event, false));
    addEventListener("blur", () => this.release());
    document.addEventListener("visibilitychange", () => document.hidden && this.release());
    this.listenToPointer(document.querySelector("#view"));
    this.listenToTouch();
  }

  release() {
    this.simulation.exports.release_keys();
    this.flying.clear();
    Object.assign(this.touch, { throttle: 0, brake: 0, steer: 0, handBrake: 0 });
  }

  key(event, isDown) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isDown) this.actions.any?.();
    const { code } = event;
    if (HELD[code]) {
      this.simulation.exports.set_key(KEYS[HELD[code]], isDown);
      this.actions.drive?.();
    }
    else if (FLIGHT[code]) this.flying[isDown ? "add" : "delete"](code);
    else if (isDown && !event.repeat && this.actions[code]) this.actions[code]();
    else return;
    event.preventDefault();
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
      stick.setPointerCapture(event.pointerId);
      move(event);
    });
    stick.addEventListener("pointermove", (event) => stick.hasPointerCapture(event.pointerId) && move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      stick.addEventListener(end, () => {
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
    if (0.1 < value(7)) this.actions.drive?.();
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
    for (const code of this.flying) exports.fly_camera(...FLIGHT[code].map((part) => part * FLIGHT_SPEED * dt));
  }
}
