// Vehicle files of one's own: opened or dropped, and read again when they change.

/** Time between two looks at a file (ms). */
const INTERVAL = 1000;
/** Most changes that are told one by one. */
const MOST_CHANGES = 3;

/** Fields in which two values of JSON differ, such as `mechanics.data_sheet.mass 1400 -> 1500`. */
function changes(before, after, path = "") {
  if (before === after) return [];
  const isDeep = [before, after].every((value) => value && typeof value === "object");
  if (!isDeep) return [`${path} ${JSON.stringify(before) ?? "usual"} -> ${JSON.stringify(after) ?? "usual"}`];
  const step = (name) => (Array.isArray(before) ? `${path}[${name}]` : path ? `${path}.${name}` : name);
  return Object.keys({ ...before, ...after }).flatMap((name) => changes(before[name], after[name], step(name)));
}

function told(before, after) {
  const all = changes(JSON.parse(before), JSON.parse(after));
  const more = all.length - MOST_CHANGES;
  return all.slice(0, MOST_CHANGES).concat(0 < more ? `${more} more` : []).join(", ") || "nothing new";
}

export class Files {
  constructor(page) {
    this.page = page;
    /** What was in them last without a fault, by their names. */
    this.texts = new Map();
    setInterval(() => this.look(), INTERVAL);
  }

  /** Lets someone choose a file. */
  async choose() {
    if (window.showOpenFilePicker) {
      const accept = { "application/json": [".json"] };
      // Who closes the dialog chooses none.
      const [handle] = await showOpenFilePicker({ types: [{ accept }] }).catch(() => []);
      if (handle) await this.open(await handle.getFile(), handle);
      return;
    }
    const input = document.createElement("input");
    [input.type, input.accept] = ["file", ".json"];
    input.onchange = () => this.open(input.files[0]);
    input.click();
  }

  /** Drives the vehicle of `file`; one that has a handle, perhaps later, is read again when it changes. */
  async open(file, handle) {
    const { name } = file, text = await file.text();
    try {
      this.page.begin({ vehicle: name }, text);
      this.texts.set(name, text);
      Object.assign(this, { name, handle: null, time: file.lastModified });
    } catch (error) {
      this.page.hud.say(`${name}: ${error.message}`, 12);
      return;
    }
    const given = await handle;
    if (this.name === name) this.handle = given;
  }

  /** Reads the file again that is driven, if it has changed. */
  async look() {
    if (!this.handle || this.page.setup.vehicle !== this.name) return;
    // A file that is not there, or empty, is about to be written.
    const file = await this.handle.getFile().catch(() => null);
    if (!file?.size || file.lastModified === this.time) return;
    this.time = file.lastModified;
    this.reload(await file.text().catch(() => this.texts.get(this.name)));
  }

  /** Drives on with what the file says now. A vehicle of another kind begins anew; with a fault, the car stays as it was. */
  reload(text) {
    const { page, name } = this, before = this.texts.get(name);
    if (text === before) return;
    try {
      let how = "";
      try {
        page.change(page.simulation.change(text));
      } catch {
        page.begin({ vehicle: name }, text);
        how = "begins anew: ";
      }
      this.texts.set(name, text);
      page.hud.say(`${name}: ${how}${told(before, text)}`, 12);
    } catch (error) {
      page.hud.say(`${name}, as it was: ${error.message}`, 12);
    }
  }
}
