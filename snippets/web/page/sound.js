// Sound of engine, tires, wind: made, not recorded. Silent until a key is pressed.

export class Sound {
  constructor() {
    this.context = null;
    this.isOn = true;
  }

  /** Begins, which browsers allow only after a key or a touch. */
  begin() {
    if (!this.isOn) return;
    if (this.context) {
      // One that began before the browser allowed it waits.
      if (this.context.state !== "running") this.pause(document.hidden);
      return;
    }
    const Context = window.AudioContext;
    if (!Context) return;
    const context = new Context();
    this.context = context;
    this.master = context.createGain();
    this.master.gain.value = 0;
    this.master.connect(context.destination);
    this.engineFilter = context.createBiquadFilter();
    this.engineFilter.type = "lowpass";
    this.engineGain = context.createGain();
    this.engineGain.gain.value = 0;
    this.engineFilter.connect(this.engineGain).connect(this.master);
    // Firing of four cylinders and its neighbors: half, one and a half, and twice.
    this.partials = [[0.5, 0.5, "triangle"], [1, 0.5, "sawtooth"], [1.5, 0.16, "sawtooth"], [2, 0.22, "square"]].map(([ratio, level, type]) => {
      const oscillator = context.createOscillator();
      oscillator.type = type;
      const gain = context.createGain();
      gain.gain.value = level;
      oscillator.connect(gain).connect(this.engineFilter);
      oscillator.start();
      return { oscillator, ratio };
    });
    const noise = context.createBuffer(1, 2 * context.sampleRate, context.sampleRate);
    const samples = noise.getChannelData(0);
    for (let sample = 0; sample < samples.length; sample++) samples[sample] = 2 * Math.random() - 1;
    const hiss = (type, frequency, quality) => {
      const source = context.createBufferSource();
      source.buffer = noise;
      source.loop = true;
      const filter = context.createBiquadFilter();
      Object.assign(filter, { type });
      filter.frequency.value = frequency;
      filter.Q.value = quality;
      const gain = context.createGain();
      gain.gain.value = 0;
      source.connect(filter).connect(gain).connect(this.master);
      source.start();
      return { filter, gain };
    };
    this.squeal = hiss("bandpass", 950, 9);
    this.scrub = hiss("bandpass", 420, 1.2);
    this.wind = hiss("lowpass", 350, 0.4);
    this.road = hiss("lowpass", 180, 0.8);
    this.blow = hiss("lowpass", 160, 0.7);
  }

  toggle() {
    this.isOn = !this.isOn;
    if (this.isOn) this.begin();
    return this.isOn;
  }

  /** Is silent, such as in a page that is hidden, or no more. */
  pause(isPaused) {
    // A browser may wait for the next key.
    this.context?.[isPaused ? "suspend" : "resume"]().catch(() => {});
  }

  /** Is silent for good. */
  end() {
    this.isOn = false;
    this.context?.close().catch(() => {});
    this.context = null;
  }

  update(frame, isElectric) {
    if (!this.context) return;
    const now = this.context.currentTime;
    const set = (parameter, value) => parameter.setTargetAtTime(value, now, 0.04);
    set(this.master.gain, this.isOn ? 0.5 : 0);
    const speed = Math.abs(frame.get("speed"));
    const engine = frame.get("engineHeard");
    const load = frame.get("load");
    const firing = frame.get("engine") < 0 ? 30 + 3 * speed : Math.abs(engine) / (isElectric ? 1.9 : 3.14);
    for (const { oscillator, ratio } of this.partials) set(oscillator.frequency, Math.max(firing * ratio, 8));
    set(this.engineFilter.frequency, 180 + 900 * load + 3.5 * firing);
    set(this.engineGain.gain, (isElectric ? 0.05 : 0.12) + 0.2 * load);
    let [squeal, scrub, road] = [0, 0, 0];
    for (let wheel = 0; wheel < frame.wheelCount; wheel++) {
      if (!frame.wheel(wheel, "onGround")) continue;
      const heard = Math.min(frame.wheel(wheel, "skidPower") / 2e4, 1);
      if (frame.wheel(wheel, "skidding")) squeal += heard;
      scrub += 0.4 * heard;
      road = Math.max(road, frame.wheel(wheel, "roughness"));
    }
    set(this.squeal.gain.gain, Math.min(0.6 * squeal, 0.7));
    set(this.squeal.filter.frequency, 780 + 260 * Math.min(squeal, 1.2));
    set(this.scrub.gain.gain, Math.min(0.25 * scrub + 0.003 * speed, 0.35));
    set(this.road.gain.gain, Math.min(0.9 * road, 0.5));
    set(this.wind.gain.gain, Math.min((frame.get("wind") / 60) ** 2, 0.5));
    this.strike(Math.max(frame.get("hit") / 8, frame.get("thud") / 12), frame.get("hit") > 0 ? 420 : 120);
  }

  /** A blow of this strength, in [0, 1], that dies away; none for 0. */
  strike(strength, pitch) {
    if (strength <= 0) return;
    const { gain, filter } = this.blow;
    const now = this.context.currentTime;
    filter.frequency.value = pitch;
    gain.gain.cancelScheduledValues(now);
    gain.gain.setValueAtTime(Math.min(strength, 1), now);
    gain.gain.setTargetAtTime(0, now + 0.02, 0.07);
  }
}
