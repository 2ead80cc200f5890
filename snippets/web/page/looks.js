// How finely the world is drawn: plainly at first, so that there is soon a picture, then as finely as the machine keeps
// up with. Textures, the light of the sky, shadows and the materials that need them come after the first picture.
import * as THREE from "three";

/** What an address may ask for by `quality`; without, a machine's own speed decides. */
const QUALITIES = {
  plain: {},
  low: { isFine: true, finest: 1, sky: 64, shadows: 1024 },
  high: { isFine: true, finest: 2, sky: 256, shadows: 2048 },
  auto: { isFine: true, finest: 2, sky: 256, shadows: 2048, isMeasured: true },
};
export const QUALITY_NAMES = Object.keys(QUALITIES);
/** Pixels per side of the first picture, as a share of those of the screen. */
const FIRST_SHARE = 0.5;
/** Time between two pictures from which on a machine does not keep up (s). */
const SLOW = 1 / 20;
/** Pictures whose times are compared with it, after some that still have to do with a change. */
const [MEASURED, SETTLING] = [24, 6];
/** Light from above and below: in plain pictures also in the place of what surfaces reflect of the sky. */
const AMBIENT = { plain: 2.0, fine: 0.45 };

/** Whether the processor draws in the place of a graphics card, as far as the browser tells. */
function isWithoutCard() {
  const gl = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (!gl) return true;
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const name = gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** A cheap material that has the color of a fine one. */
function plainMaterial(fine) {
  const { color, emissive, emissiveIntensity, map, vertexColors, side, transparent, opacity, depthWrite } = fine;
  const { polygonOffset, polygonOffsetFactor, polygonOffsetUnits } = fine;
  return new THREE.MeshLambertMaterial({
    color, emissive, emissiveIntensity, map, vertexColors, side, transparent, opacity, depthWrite,
    polygonOffset, polygonOffsetFactor, polygonOffsetUnits,
  });
}

export class Looks {
  /** `tell` is called with the name of each step, when it is done. */
  constructor(canvas, quality, tell) {
    const name = QUALITY_NAMES.includes(quality) ? quality : "auto";
    this.quality = QUALITIES[name];
    this.isWithoutCard = this.quality.isMeasured && isWithoutCard();
    this.tell = tell;
    const antialias = name === "high" || (name === "auto" && !this.isWithoutCard);
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias, powerPreference: "high-performance" });
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.95;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.setPixels(FIRST_SHARE);
    this.plains = new WeakMap();
    this.pairs = [];
    this.isFine = false;
    this.onPicture = null;
  }

  /** So many pixels per side, as a share of those of the screen. */
  setPixels(share) {
    this.renderer.setPixelRatio(share * Math.min(devicePixelRatio, this.quality.finest ?? 1));
  }

  /** Draws `scenery`, which gets what it lacks, through `camera`. */
  open(scenery, camera) {
    Object.assign(this, { scenery, camera });
    this.wear(false);
  }

  /** Gives every part of the scene its plain material, or its fine one. */
  wear(isFine) {
    const { scene, ambient } = this.scenery;
    this.isFine = isFine;
    this.renderer.shadowMap.enabled = isFine;
    scene.environment = isFine ? this.environment : null;
    ambient.intensity = isFine ? AMBIENT.fine : AMBIENT.plain;
    this.dress();
  }

  /** The same for what has come since. */
  dress() {
    this.pairs = [];
    this.scenery.scene.traverse((object) => {
      const fine = object.userData.fine ?? object.material;
      if (!fine?.isMeshStandardMaterial) return;
      object.userData.fine = fine;
      object.material = this.isFine ? fine : this.plain(fine);
    });
  }

  plain(fine) {
    if (!this.plains.has(fine)) {
      const made = plainMaterial(fine);
      this.plains.set(fine, made);
      fine.addEventListener("dispose", () => made.dispose());
    }
    const plain = this.plains.get(fine);
    if (plain.map !== fine.map) Object.assign(plain, { map: fine.map, needsUpdate: true });
    this.pairs.push([plain, fine]);
    return plain;
  }

  /** Draws a picture. */
  draw() {
    // Lamps are lit on the fine materials.
    for (const [plain, fine] of this.pairs) plain.emissiveIntensity = fine.emissiveIntensity;
    this.renderer.render(this.scenery.scene, this.camera);
    this.onPicture?.();
  }

  /** Waits for the next picture. */
  picture() {
    return new Promise((resolve) => {
      this.onPicture = () => {
        this.onPicture = null;
        resolve();
      };
    });
  }

  /** Waits until all that has been asked for is drawn. */
  async drawn() {
    const gl = this.renderer.getContext();
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    while (!gl.isContextLost() && gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED) {
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    gl.deleteSync(sync);
  }

  /** Whether pictures follow each other fast enough. */
  async keepsUp() {
    const times = [];
    let last = performance.now();
    for (let count = 0; count < SETTLING + MEASURED; count++) {
      await this.picture();
      const now = performance.now();
      times.push((now - last) / 1000);
      last = now;
    }
    const measured = times.slice(SETTLING).sort((a, b) => a - b);
    return measured[MEASURED / 2] < SLOW;
  }

  /** From the first picture on: finer and finer, as far as is asked for or the machine keeps up. */
  async refine() {
    await this.picture();
    await this.drawn();
    this.tell("first picture");
    if (!this.quality.isFine) return;
    this.setPixels(1);
    await this.addTextures();
    const isFast = !this.quality.isMeasured || (await this.keepsUp());
    if (!isFast) this.setPixels(FIRST_SHARE);
    if (!isFast || this.isWithoutCard) return this.tell("drawn plainly");
    await this.addLight();
    if (this.quality.isMeasured) await this.settle();
  }

  /** The grain of the surfaces, one texture per picture. */
  async addTextures() {
    for (const surface of this.scenery.surfacesToTexture()) {
      this.scenery.addTexture(surface);
      this.dress();
      await this.picture();
    }
    this.tell("textures");
  }

  /** The light of the sky, shadows, and the materials for both. */
  async addLight() {
    const { shadows } = this.quality;
    this.reflectSky();
    await this.drawn();
    this.tell("light of the sky");
    this.scenery.sun.shadow.mapSize.setScalar(shadows);
    // Their programs are made for the scene as it will be, while plain pictures go on.
    this.wear(true);
    const compiled = this.compile();
    this.wear(false);
    await compiled;
    this.tell("materials");
    this.wear(true);
    await this.picture();
    await this.drawn();
    this.tell("drawn in full");
  }

  /** Makes the light of the sky that surfaces reflect. */
  reflectSky() {
    this.environment = this.scenery.skyLight(this.renderer, this.quality.sky);
  }

  /** The graphics card has lost all that was drawn there, and is back: what only it had is made anew. */
  restore() {
    if (!this.environment) return;
    this.reflectSky();
    this.wear(this.isFine);
  }

  /** Begins to make the programs of the scene as it is; waits for them where the browser can tell. */
  compile() {
    const { renderer, camera, scenery: { scene } } = this;
    const canTell = renderer.getContext().getExtension("KHR_parallel_shader_compile");
    return canTell ? renderer.compileAsync(scene, camera) : renderer.compile(scene, camera);
  }

  /** Back to fewer pixels, or to plain pictures, on a machine that does not keep up. */
  async settle() {
    if (await this.keepsUp()) return;
    if (1 < this.renderer.getPixelRatio()) {
      this.renderer.setPixelRatio(1);
      if (await this.keepsUp()) return;
    }
    this.wear(false);
    this.tell("drawn plainly");
  }
}
