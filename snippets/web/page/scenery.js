// Sky, light and the parts of a world.
import * as THREE from "three";
import { discard } from "./discard.js";

const HORIZON = 0xc9d6e2;
const LOOKS = {
  asphalt: { color: 0x6b6c6d, roughness: 0.95, grain: 26, tile: 20 },
  concrete: { color: 0x9b9a94, roughness: 0.9, grain: 18, tile: 8 },
  wet: { color: 0x34404c, roughness: 0.12, grain: 10, tile: 12 },
  ice: { color: 0xcfe8f5, roughness: 0.08, grain: 8, tile: 8 },
  sand: { color: 0xb49a6b, roughness: 1.0, grain: 30, tile: 14 },
  grass: { color: 0x5f7a42, roughness: 1.0, grain: 34, tile: 16 },
  kerb: { color: 0xb9b4aa, roughness: 0.8, grain: 12, tile: 2 },
  steel: { color: 0x7d8fa1, roughness: 0.45, metalness: 0.5, grain: 8, tile: 4 },
  wood: { color: 0xa87848, roughness: 0.85, grain: 22, tile: 1.6 },
  cone: { color: 0xff6a1f, roughness: 0.6, grain: 0, tile: 1 },
  white: { color: 0xe8e6e0, roughness: 0.8, grain: 0, tile: 1 },
  red: { color: 0xb3201c, roughness: 0.8, grain: 0, tile: 1 },
};

/** Numbers in [0, 1) that are the same every time. */
export function noise(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** A texture of grains, with a faint joint along its edges where the surface has such. */
function grainTexture(name, grain) {
  const size = 256;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  const image = context.createImageData(size, size);
  const random = noise(7 + name.length * 131);
  const coarse = Array.from({ length: 33 * 33 }, random);
  const smooth = (x, y) => {
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [x - i, y - j];
    const at = (a, b) => coarse[(b % 32) * 33 + (a % 32)];
    return (at(i, j) * (1 - u) + at(i + 1, j) * u) * (1 - v) + (at(i, j + 1) * (1 - u) + at(i + 1, j + 1) * u) * v;
  };
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const patch = smooth((x / size) * 32, (y / size) * 32) + 0.6 * smooth((x / size) * 8, (y / size) * 8);
      let value = 255 - grain + grain * (random() - 0.5) + 0.7 * grain * (patch - 0.8);
      if (name === "asphalt" && (x < 1 || y < 1)) value -= 16;
      if (name === "concrete" && (x < 2 || y < 2)) value -= 45;
      if (name === "wood" && (x % 64 < 2 || y < 3)) value -= 60;
      image.data.set([value, value, value, 255], 4 * (y * size + x));
    }
  }
  context.putImageData(image, 0, 0);
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}

const materials = new Map();
let isTextured = false;

/** The material of a surface; without its texture as long as there are none yet. */
function surfaceMaterial(name) {
  if (!materials.has(name)) {
    const look = LOOKS[name];
    const material = new THREE.MeshStandardMaterial({
      color: look.color, roughness: look.roughness, metalness: look.metalness ?? 0,
      map: isTextured && look.grain ? grainTexture(name, look.grain) : null,
      envMapIntensity: name === "wet" || name === "ice" ? 1.0 : 0.5,
    });
    material.userData.isShared = true;
    materials.set(name, material);
  }
  return materials.get(name);
}

/** A box whose texture is as large on every side. */
function boxGeometry([x, y, z], tile) {
  const geometry = new THREE.BoxGeometry(2 * x, 2 * y, 2 * z);
  const sizes = [[z, y], [z, y], [x, z], [x, z], [x, y], [x, y]];
  const uv = geometry.attributes.uv;
  for (let corner = 0; corner < uv.count; corner++) {
    const [u, v] = sizes[Math.floor(corner / 4)];
    uv.setXY(corner, (uv.getX(corner) * 2 * u) / tile, (uv.getY(corner) * 2 * v) / tile);
  }
  return geometry;
}

function meshGeometry({ corners, triangles }, tile) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  const uv = [];
  for (let corner = 0; corner < corners.length; corner += 3) uv.push(corners[corner] / tile, corners[corner + 2] / tile);
  geometry.setAttribute("uv", new THREE.Float32BufferAttribute(uv, 2));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return geometry;
}

function partGeometry(shape, surface) {
  const { tile } = LOOKS[surface];
  if (shape.box) return boxGeometry(shape.box, tile);
  if (shape.corners) return meshGeometry(shape, tile);
  const [halfHeight, radius] = shape.cylinder;
  const top = surface === "cone" ? 0.25 * radius : radius;
  const geometry = new THREE.CylinderGeometry(top, radius, 2 * halfHeight, radius < 1 ? 20 : 96);
  const { position, uv } = geometry.attributes;
  for (let corner = 0; corner < uv.count; corner++) {
    uv.setXY(corner, position.getX(corner) / tile, position.getZ(corner) / tile);
  }
  return geometry;
}

/** Text that lies on the road. */
function roadText(text) {
  const canvas = document.createElement("canvas");
  canvas.width = 512;
  canvas.height = 128;
  const context = canvas.getContext("2d");
  context.font = "700 84px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = "#fff";
  context.fillText(text, 256, 66, 500);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 8;
  const material = new THREE.MeshStandardMaterial({
    map: texture, transparent: true, opacity: 0.82, roughness: 0.9, depthWrite: false,
    polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4,
  });
  const plane = new THREE.Mesh(new THREE.PlaneGeometry(5.6, 1.4), material);
  plane.rotation.set(-Math.PI / 2, 0, Math.PI, "XYZ");
  plane.receiveShadow = true;
  const group = new THREE.Group();
  group.add(plane);
  return group;
}

function sky() {
  const material = new THREE.ShaderMaterial({
    side: THREE.BackSide, depthWrite: false, fog: false,
    uniforms: { sun: { value: new THREE.Vector3(0.45, 0.62, -0.35).normalize() } },
    vertexShader: "varying vec3 way; void main() { way = normalize(position); gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
    fragmentShader: `
      uniform vec3 sun; varying vec3 way;
      float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
      float noise(vec2 p) {
        vec2 i = floor(p), f = fract(p); f = f * f * (3.0 - 2.0 * f);
        return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), f.x), f.y);
      }
      void main() {
        vec3 d = normalize(way);
        float rise = max(d.y, 0.0);
        vec3 color = mix(vec3(0.60, 0.69, 0.77), vec3(0.13, 0.33, 0.64), pow(rise, 0.55));
        float glow = max(dot(d, sun), 0.0);
        color += vec3(1.0, 0.85, 0.6) * (0.18 * pow(glow, 12.0) + 3.0 * smoothstep(0.9994, 0.9998, glow));
        if (d.y > 0.02) {
          vec2 p = d.xz / d.y * 1.4;
          float cloud = noise(p) * 0.5 + noise(p * 2.3) * 0.3 + noise(p * 5.1) * 0.2;
          color = mix(color, vec3(0.95), smoothstep(0.52, 0.85, cloud) * 0.55 * smoothstep(0.02, 0.25, d.y));
        }
        gl_FragColor = vec4(mix(color, vec3(0.42, 0.45, 0.46), smoothstep(0.0, -0.08, d.y)), 1.0);
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }`,
  });
  return new THREE.Mesh(new THREE.SphereGeometry(900, 32, 16), material);
}

/** Hills around, so that there is a horizon. */
function hills(color) {
  const random = noise(11);
  const rings = [430, 500, 590, 700];
  const count = 96;
  const corners = [];
  const heights = Array.from({ length: count }, () => random());
  rings.forEach((radius, ring) => {
    for (let step = 0; step < count; step++) {
      const angle = (2 * Math.PI * step) / count;
      const wave = heights[step] * 0.4 + heights[(step * 7) % count] * 0.3 + 0.5 * Math.sin(angle * 3 + 1) + 0.6;
      const height = ring === 0 ? -3 : ring * 17 * Math.max(0.12, wave) * (ring === 3 ? 0.9 : 0.7);
      corners.push(radius * Math.sin(angle), height, radius * Math.cos(angle));
    }
  });
  const triangles = [];
  for (let ring = 0; ring + 1 < rings.length; ring++) {
    for (let step = 0; step < count; step++) {
      const [a, b] = [ring * count + step, ring * count + ((step + 1) % count)];
      triangles.push(a, b, a + count, b, b + count, a + count);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color, roughness: 1, side: THREE.DoubleSide }));
}

function trees(places) {
  const group = new THREE.Group();
  const random = noise(23);
  const crown = new THREE.ConeGeometry(1.9, 5.4, 7);
  crown.translate(0, 4.2, 0);
  const trunk = new THREE.CylinderGeometry(0.18, 0.25, 1.8, 6);
  trunk.translate(0, 0.9, 0);
  const kinds = [[crown, 0x3d5c33], [trunk, 0x594632]];
  const matrices = places.map(([x, y, z]) => {
    const size = 0.7 + 0.8 * random();
    return new THREE.Matrix4().compose(
      new THREE.Vector3(x, y - 0.1, z), new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), 6 * random()),
      new THREE.Vector3(size, size * (0.8 + 0.5 * random()), size));
  });
  for (const [geometry, color] of kinds) {
    const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshStandardMaterial({ color, roughness: 1 }), places.length);
    matrices.forEach((matrix, index) => mesh.setMatrixAt(index, matrix));
    mesh.castShadow = true;
    group.add(mesh);
  }
  return group;
}

function treePlaces(world, parts) {
  const random = noise(5);
  const places = [];
  if (world === "hill_climb") {
    for (const { shape, surface } of parts) {
      if (surface !== "grass" || !shape.corners) continue;
      for (let corner = 0; corner < shape.corners.length; corner += 3) {
        const inner = (corner / 3) % 6;
        if (random() < 0.16 && 0 < inner && inner < 5) places.push(shape.corners.slice(corner, corner + 3));
      }
    }
  } else if (["proving_ground", "circuit", "crowd"].includes(world)) {
    for (let tree = 0; tree < 360; tree++) {
      const [angle, radius] = [2 * Math.PI * random(), (world === "circuit" ? 165 : 330) + 55 * random()];
      places.push([radius * Math.sin(angle), 0, radius * Math.cos(angle)]);
    }
  }
  return places;
}

export class Scenery {
  constructor() {
    this.scene = new THREE.Scene();
    this.scene.fog = new THREE.Fog(HORIZON, 220, 850);
    this.sky = sky();
    this.scene.environmentIntensity = 0.75;
    this.sun = new THREE.DirectionalLight(0xfff1da, 2.6);
    this.sun.castShadow = true;
    const reach = 32;
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 1, far: 160 });
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.03;
    this.ambient = new THREE.HemisphereLight(0xbfd4ea, 0x6b6a60);
    this.scene.add(this.sky, this.sun, this.sun.target, this.ambient);
    this.world = new THREE.Group();
    this.moving = [];
    this.scene.add(this.world);
  }

  /** Surfaces that still lack their texture; those that come later have one from the beginning. */
  surfacesToTexture() {
    isTextured = true;
    return [...materials.keys()].filter((name) => LOOKS[name].grain && !materials.get(name).map);
  }

  addTexture(surface) {
    const material = materials.get(surface);
    material.map = grainTexture(surface, LOOKS[surface].grain);
    material.needsUpdate = true;
  }

  /** What surfaces reflect: the sky, from each side in so many pixels per side. */
  skyLight(renderer, size) {
    const around = new THREE.Scene();
    around.add(sky());
    const generator = new THREE.PMREMGenerator(renderer);
    const { texture } = generator.fromScene(around, 0.02, 1, 1000, { size });
    generator.dispose();
    return texture;
  }

  /** Builds the parts of a world. */
  build({ parts, moving, starts, setup }) {
    discard(this.world);
    this.world.clear();
    this.scene.add(this.world);
    this.moving = Array.from({ length: moving }, () => new THREE.Group());
    if (this.moving.length) this.world.add(...this.moving);
    for (const { shape, surface, place, rotation, body } of parts) {
      const mesh = new THREE.Mesh(partGeometry(shape, surface), surfaceMaterial(surface));
      mesh.position.fromArray(place);
      mesh.quaternion.fromArray(rotation);
      mesh.castShadow = !shape.box || shape.box[0] < 100;
      mesh.receiveShadow = true;
      (body === null ? this.world : this.moving[body]).add(mesh);
    }
    for (const { name, place, rotation, isMoving } of starts) {
      if (isMoving) continue;
      const text = roadText(name.replace("On ", "").replace(" degrees", "°"));
      text.quaternion.fromArray(rotation);
      text.position.fromArray(place).add(new THREE.Vector3(0, 0.02, 4.2).applyQuaternion(text.quaternion));
      this.world.add(text);
    }
    const isAtSea = setup.world === "ship";
    if (isAtSea) {
      const sea = new THREE.Mesh(new THREE.PlaneGeometry(1800, 1800),
        new THREE.MeshStandardMaterial({ color: 0x1d4a63, roughness: 0.22, metalness: 0.1 }));
      sea.rotation.x = -Math.PI / 2;
      sea.position.y = 1.2;
      this.world.add(sea);
    } else {
      const isSand = ["soft_ground", "off_road"].includes(setup.world);
      const plain = new THREE.Mesh(new THREE.PlaneGeometry(1800, 1800), surfaceMaterial(isSand ? "sand" : "grass"));
      const uv = plain.geometry.attributes.uv;
      for (let corner = 0; corner < uv.count; corner++) uv.setXY(corner, uv.getX(corner) * 100, uv.getY(corner) * 100);
      plain.rotation.x = -Math.PI / 2;
      plain.position.y = setup.world === "hill_climb" ? -1.5 : -0.6;
      plain.receiveShadow = true;
      this.world.add(plain, hills(isSand ? 0x9a8a62 : 0x5d7350));
    }
    const places = treePlaces(setup.world, parts);
    if (places.length) this.world.add(trees(places));
  }

  /** Puts what moves where it is, and the light to the car. */
  update(frame, body, eye) {
    this.moving.forEach((group, index) => {
      const at = frame.movingAt(index);
      group.position.fromArray(frame.numbers, at);
      group.quaternion.fromArray(frame.numbers, at + 3);
    });
    this.sky.position.copy(eye);
    this.sun.target.position.copy(body);
    this.sun.position.copy(body).add(new THREE.Vector3(45, 62, -35));
  }
}
