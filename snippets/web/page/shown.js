// A recorded drive that is shown: whoever drives takes over.

/** Time for which a note that takes reading is shown (s). */
export const LONG_NOTE = 12;

/** A message as a sentence, with one full stop. */
export function sentence(message) {
  return `${message.replace(/\.+$/, "")}.`;
}

export class Shown {
  /** `open` draws another scene, `say` tells something for a time (s), and `takeOver` is called when the driver drives. */
  constructor(simulation, { open, say, takeOver }) {
    Object.assign(this, { simulation, open, say, takeOver });
    this.end();
  }

  /** Another drive has begun. */
  end() {
    this.isOn = false;
    this.expected = null;
  }

  replay(bytes) {
    this.open(this.simulation.replay(bytes));
    this.isOn = true;
    this.say("Replay: whoever drives takes over", LONG_NOTE);
  }

  /** Shows the drive of a link, whose end has this hash on every machine. */
  show({ recording, hash, fault }) {
    try {
      if (fault) throw new Error(fault);
      this.replay(recording);
      this.expected = hash;
    } catch (error) {
      this.say(sentence(`The drive of this link cannot be shown: ${error.message}`), LONG_NOTE);
    }
  }

  /** Tells that a replay is over, and whether it went as it was recorded. */
  follow(frame) {
    if (!this.isOn || 0.5 < frame.get("replaying")) return;
    this.isOn = false;
    this.takeOver();
    const end = this.simulation.replayEnd();
    const isOther = end !== null && this.expected && end !== this.expected;
    this.say(isOther ? "This version of the simulation drives it otherwise than the one that recorded it. Your turn." : "Your turn", isOther ? LONG_NOTE : 4);
  }
}
