// A car that looks like one, from the numbers of its vehicle: length, width, floor, roof, wheels.
import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

const PAINTS = { city_car: 0xf0c23b, hot_hatch: 0xc8202f, sports_car: 0x1f5fd6, pick_up: 0x2f5d4a, tank: 0x5b6344, gt: 0xe86a10, rally_car: 0xe8e8ea, truck_6x6: 0x66703f };
const OTHER_PAINTS = [0x7a8794, 0xd96a1c, 0x3f7f8c, 0x8a2f5c, 0x4a5a8c];

// Side views: [along, up], along from -0.5 at the tail to 0.5 at the nose, up from 0 at the floor to 1 at the roof.
const SHAPES = {
  hatch: {
    hull: [[-0.485, 0.08], [-0.5, 0.2], [-0.497, 0.42], [-0.48, 0.6], [-0.2, 0.62], [0.19, 0.6], [0.33, 0.57], [0.44, 0.515], [0.484, 0.44], [0.5, 0.26], [0.49, 0.08]],
    cabin: [[-0.475, 0.58], [-0.425, 0.9], [-0.37, 0.97], [-0.2, 1.0], [-0.02, 0.985], [0.035, 0.95], [0.215, 0.58]],
    roof: [[-0.435, 0.93], [-0.372, 0.985], [-0.2, 1.015], [-0.02, 1.0], [0.03, 0.965], [0.0, 0.955], [-0.2, 0.965], [-0.37, 0.935]],
    pillars: [[[0.175, 0.58], [0.0, 0.95], [0.03, 0.945], [0.205, 0.58]], [[-0.12, 0.58], [-0.115, 0.98], [-0.085, 0.98], [-0.085, 0.58]], [[-0.46, 0.58], [-0.415, 0.9], [-0.33, 0.95], [-0.35, 0.58]]],
  },
  sports: {
    hull: [[-0.485, 0.1], [-0.5, 0.3], [-0.492, 0.55], [-0.44, 0.66], [-0.2, 0.66], [0.13, 0.6], [0.3, 0.53], [0.44, 0.41], [0.49, 0.3], [0.5, 0.18], [0.485, 0.07]],
    cabin: [[-0.42, 0.63], [-0.28, 0.86], [-0.16, 0.98], [-0.06, 1.0], [0.01, 0.96], [0.17, 0.58]],
    roof: [[-0.27, 0.89], [-0.16, 0.998], [-0.06, 1.018], [0.01, 0.975], [-0.02, 0.96], [-0.08, 0.97], [-0.16, 0.95]],
    pillars: [[[0.12, 0.6], [-0.02, 0.95], [0.004, 0.95], [0.15, 0.6]], [[-0.4, 0.63], [-0.27, 0.86], [-0.17, 0.95], [-0.2, 0.63]]],
  },
  pickUp: {
    hull: [[-0.495, 0.14], [-0.5, 0.3], [-0.5, 0.56], [-0.13, 0.56], [0.21, 0.58], [0.44, 0.54], [0.49, 0.47], [0.5, 0.25], [0.49, 0.1]],
    cabin: [[-0.135, 0.55], [-0.115, 0.93], [-0.08, 1.0], [0.05, 0.995], [0.085, 0.96], [0.22, 0.56]],
    roof: [[-0.12, 0.95], [-0.08, 1.015], [0.05, 1.01], [0.08, 0.97], [0.04, 0.965], [-0.08, 0.965]],
    pillars: [[[0.18, 0.57], [0.055, 0.96], [0.08, 0.95], [0.21, 0.57]], [[0.01, 0.56], [0.01, 0.98], [0.035, 0.98], [0.04, 0.56]], [[-0.132, 0.56], [-0.11, 0.95], [-0.07, 0.96], [-0.085, 0.56]]],
  },
  box: {
    hull: [[-0.5, 0.05], [-0.5, 0.55], [0.27, 0.55], [0.47, 0.52], [0.5, 0.4], [0.5, 0.05]],
    cabin: [[-0.495, 0.53], [-0.49, 0.97], [-0.46, 1.0], [0.24, 1.0], [0.34, 0.95], [0.46, 0.53]],
    roof: [[-0.492, 0.95], [-0.46, 1.012], [0.24, 1.012], [0.335, 0.96], [0.24, 0.96], [-0.46, 0.95]],
    pillars: [[[0.41, 0.53], [0.3, 0.95], [0.335, 0.94], [0.45, 0.53]], [[-0.49, 0.53], [-0.485, 0.97], [0.05, 0.97], [0.05, 0.53]]],
  },
  truck: {
    hull: [[-0.5, 0.14], [-0.5, 0.3], [0.1, 0.3], [0.12, 0.44], [0.485, 0.44], [0.5, 0.38], [0.5, 0.04]],
    cabin: [[0.13, 0.42], [0.13, 0.96], [0.16, 1.0], [0.4, 1.0], [0.455, 0.9], [0.485, 0.42]],
    roof: [[0.128, 0.86], [0.128, 0.97], [0.16, 1.012], [0.4, 1.012], [0.45, 0.93], [0.44, 0.88]],
    pillars: [[[0.128, 0.42], [0.128, 0.9], [0.26, 0.9], [0.26, 0.42]], [[0.44, 0.44], [0.42, 0.9], [0.445, 0.9], [0.476, 0.44]]],
  },
  motorcycle: {
    hull: [[-0.3, 0.12], [-0.5, 0.5], [-0.3, 0.52], [0.02, 0.56], [0.22, 0.62], [0.38, 0.46], [0.28, 0.12]],
    cabin: [[-0.26, 0.5], [-0.2, 0.8], [0.0, 0.94], [0.1, 0.9], [0.06, 0.78], [0.02, 0.54]],
    roof: [[0.0, 0.88], [0.02, 1.0], [0.12, 1.02], [0.18, 0.95], [0.15, 0.86]],
    pillars: [],
  },
  tank: {
    hull: [[-0.49, 0.22], [-0.5, 0.56], [0.3, 0.56], [0.5, 0.36], [0.46, 0.2]],
    cabin: [[-0.3, 0.55], [-0.3, 0.9], [-0.24, 0.98], [0.06, 1.0], [0.2, 0.72], [0.14, 0.55]],
    roof: [[-0.302, 0.54], [-0.302, 0.91], [-0.24, 0.99], [0.06, 1.01], [0.205, 0.72], [0.145, 0.54]],
    pillars: [],
  },
};

function shapeOf({ name, size, wheels, isTank }) {
  if (isTank) return SHAPES.tank;
  if (wheels.length === 2) return SHAPES.motorcycle;
  if (/truck|tractor/.test(name)) return SHAPES.truck;
  if (/pick|ute/.test(name)) return SHAPES.pickUp;
  if (/kart/.test(name)) return SHAPES.sports;
  if (/sport|gt|rc_|drift/.test(name)) return SHAPES.sports;
  if (wheels.length !== 4 || 6 < size[0] || /van|bus/.test(name)) return SHAPES.box;
  return SHAPES.hatch;
}

function outline(points, toPlace) {
  const shape = new THREE.Shape();
  points.map(toPlace).forEach(([along, up], index) => (index ? shape.lineTo(along, up) : shape.moveTo(along, up)));
  return shape;
}

/** A side view pulled across; along becomes z, up stays y. */
function pulled(shape, width, bevel, detail) {
  const options = { depth: Math.max(width - 2 * bevel, 0.01 * width), curveSegments: detail ? 14 : 5,
    bevelEnabled: 0 < bevel, bevelThickness: bevel, bevelSize: bevel, bevelOffset: -bevel, bevelSegments: detail ? 4 : 1 };
  const geometry = new THREE.ExtrudeGeometry(shape, options);
  geometry.translate(0, 0, -0.5 * options.depth);
  geometry.rotateY(-Math.PI / 2); // Along: x to z; across: z to -x.
  return geometry;
}

/** Narrower the higher. */
function tapered(geometry, floor, top, share) {
  const { position } = geometry.attributes;
  for (let corner = 0; corner < position.count; corner++) {
    const part = Math.min(Math.max((position.getY(corner) - floor) / (top - floor), 0), 1);
    position.setX(corner, position.getX(corner) * (1 - share * part));
  }
  geometry.computeVertexNormals();
  return geometry;
}

/** The hull's side view with arches for its wheels cut out of the lower edge. */
function hullShape(points, toPlace, wheels) {
  const shape = new THREE.Shape();
  const corners = points.map(toPlace);
  corners.forEach(([along, up], index) => (index ? shape.lineTo(along, up) : shape.moveTo(along, up)));
  // Back from the nose to the tail along the floor, around each arch.
  const arches = new Map(wheels.map(({ place, radius }) => [place[2].toFixed(1), { along: place[2], up: place[1], radius: 1.17 * radius }]));
  const edge = corners[0][1];
  for (const { along, up, radius } of [...arches.values()].sort((a, b) => b.along - a.along)) {
    const half = Math.sqrt(Math.max(radius * radius - (edge - up) ** 2, 0.1 * radius * radius));
    const start = Math.atan2(edge - up, half);
    if (along + half < corners.at(-1)[0] && corners[0][0] < along - half) {
      shape.lineTo(along + half, edge);
      shape.absarc(along, up, radius, start, Math.PI - start, false);
    }
  }
  shape.closePath();
  return shape;
}

/** How far a side view reaches at a height, toward the nose (1) or the tail (-1), as a share of the length. */
function reach(points, height, sign) {
  let most = 0;
  points.forEach(([along, up], index) => {
    const [nextAlong, nextUp] = points[(index + 1) % points.length];
    if ((up - height) * (nextUp - height) > 0 || up === nextUp) return;
    const at = along + ((height - up) / (nextUp - up)) * (nextAlong - along);
    if (sign * most < sign * at) most = at;
  });
  return most;
}

function box(x, y, z, width, height, depth) {
  const geometry = new THREE.BoxGeometry(width, height, depth);
  geometry.translate(x, y, z);
  return geometry.toNonIndexed();
}

/** Geometries of a body by material. */
export function bodyGeometries(vehicle, detail) {
  const [length, width] = vehicle.size;
  const [floor, roof] = vehicle.bounds;
  const shape = shapeOf(vehicle);
  const lowest = Math.min(...vehicle.wheels.map(({ place, radius }) => place[1] - radius));
  const base = lowest + 0.5 * (floor - lowest);
  const toPlace = ([along, up]) => [along * length, base + up * (roof - base)];
  const bevel = detail ? 0.037 * width : 0;
  const hull = pulled(hullShape(shape.hull, toPlace, shape === SHAPES.tank ? [] : vehicle.wheels), width, bevel, detail);
  const belt = base + 0.55 * (roof - base);
  tapered(hull, belt - 0.12 * (roof - base), belt + 0.1, 0.06);
  const cabinWidth = 0.9 * width;
  const cabin = (points, extra) => tapered(pulled(outline(points, toPlace), cabinWidth + extra, extra ? 0 : 0.5 * bevel, detail), belt, roof, 0.2);
  const glass = cabin(shape.cabin, 0);
  const paint = [hull, cabin(shape.roof, 0.005), ...shape.pillars.map((points) => cabin(points, 0.012))];
  const [nose, tail] = [0.5 * length, -0.5 * length];
  const up = (share) => base + share * (roof - base);
  const [side, tall] = [0.5 * width, roof - base];
  const dark = [
    box(0, up(0.09), 0, 0.9 * width, 0.1 * tall, 0.96 * length),
    box(0, up(0.22), nose - 0.03 * tall, 0.62 * width, 0.13 * tall, 0.08 * tall),
    box(0, up(0.1), tail + 0.04 * tall, 0.8 * width, 0.08 * tall, 0.1 * tall),
  ];
  if (shape === SHAPES.tank) {
    paint.push(box(0, up(0.76), 0.42 * length, 0.16, 0.16, 0.56 * length));
    for (const sign of [-1, 1]) {
      // What of the tracks is seen beside the wheels.
      const ends = vehicle.wheels.map(({ place }) => place[2]);
      const [first, last] = [Math.min(...ends), Math.max(...ends)];
      const { place, radius, halfWidth } = vehicle.wheels[0];
      for (const height of [place[1] + 1.12 * radius, place[1] - 1.0 * radius]) {
        dark.push(box(sign * Math.abs(place[0]), height, 0.5 * (first + last), 2 * halfWidth, 0.12 * radius, last - first + 1.6 * radius));
      }
    }
  }
  for (const sign of shape === SHAPES.tank ? [] : [-1, 1]) {
    // Mirrors.
    paint.push(box(sign * 1.03 * side, up(0.66), (shape === SHAPES.truck ? 0.42 : 0.12) * length, 0.09 * width, 0.09 * tall, 0.07 * tall));
  }
  const head = [], brake = [], back = [];
  const lamp = shape === SHAPES.sports ? 0.34 : 0.43;
  const isTruck = shape === SHAPES.truck;
  const rear = shape === SHAPES.pickUp ? 0.45 : isTruck ? 0.22 : 0.5;
  const plateHeight = isTruck ? 0.22 : 0.33;
  const front = reach(shape.hull, lamp, 1) * length - 0.032 * tall;
  const end = reach(shape.hull, rear, -1) * length + 0.023 * tall;
  for (const sign of [-1, 1]) {
    head.push(box(sign * 0.35 * width, up(lamp), front, 0.2 * width, 0.07 * tall, 0.09 * tall));
    brake.push(box(sign * 0.375 * width, up(rear), end, 0.17 * width, 0.085 * tall, 0.06 * tall));
    back.push(box(sign * 0.255 * width, up(rear), end, 0.06 * width, 0.06 * tall, 0.055 * tall));
  }
  const plate = box(0, up(plateHeight), reach(shape.hull, plateHeight, -1) * length + 0.01, 0.28 * width, 0.1 * tall, 0.05 * tall);
  back.push(plate);
  const spoiler = 0.9;
  if (!isTruck) brake.push(box(0, up(spoiler), reach(shape.cabin, spoiler, -1) * length - 0.004, 0.2 * width, 0.018 * tall, 0.03 * tall));
  if (shape === SHAPES.tank) back.length = 2;
  const merged = (list) => mergeGeometries(list.map((geometry) => {
    const flat = geometry.index ? geometry.toNonIndexed() : geometry;
    flat.deleteAttribute("uv");
    return flat;
  }));
  return { paint: merged(paint), glass: merged([glass]), dark: merged(dark), head: merged(head), brake: merged(brake), back: merged(back) };
}

/** A wheel: its axle is x, its outer side +x. */
function wheelGeometries(radius, halfWidth, detail) {
  const rim = 0.66 * radius;
  const shoulder = Math.min(0.25 * halfWidth, 0.03);
  const profile = [[rim, -0.8], [0.9 * radius, -1], [radius - shoulder, -0.98], [radius, -0.8], [radius, 0.8], [radius - shoulder, 0.98], [0.9 * radius, 1], [rim, 0.8]];
  const tire = new THREE.LatheGeometry(profile.map(([r, along]) => new THREE.Vector2(r, along * halfWidth)), detail ? 40 : 12);
  tire.rotateZ(-Math.PI / 2);
  const parts = [];
  const barrel = new THREE.CylinderGeometry(rim, rim, 1.6 * halfWidth, detail ? 32 : 10, 1, true);
  barrel.rotateZ(-Math.PI / 2);
  parts.push(barrel.toNonIndexed());
  const spokes = 5;
  for (let spoke = 0; spoke < spokes; spoke++) {
    const arm = new THREE.BoxGeometry(0.45 * halfWidth, rim, 0.3 * rim);
    arm.translate(0.72 * halfWidth, 0.5 * rim, 0);
    arm.rotateX((2 * Math.PI * spoke) / spokes);
    parts.push(arm.toNonIndexed());
  }
  const hub = new THREE.CylinderGeometry(0.25 * rim, 0.25 * rim, 0.7 * halfWidth, 16);
  hub.rotateZ(-Math.PI / 2);
  hub.translate(0.74 * halfWidth, 0, 0);
  parts.push(hub.toNonIndexed());
  const ring = new THREE.TorusGeometry(0.97 * rim, 0.04 * rim, 6, detail ? 32 : 10);
  ring.rotateY(Math.PI / 2);
  ring.translate(0.8 * halfWidth, 0, 0);
  parts.push(ring.toNonIndexed());
  const disc = new THREE.CylinderGeometry(0.72 * rim, 0.72 * rim, 0.25 * halfWidth, 24);
  disc.rotateZ(-Math.PI / 2);
  disc.translate(0.2 * halfWidth, 0, 0);
  return { tire, rim: mergeGeometries(parts), disc };
}

export class Car {
  constructor(vehicle, isGhost = false) {
    this.group = new THREE.Group();
    this.body = new THREE.Group();
    this.group.add(this.body);
    const hash = [...vehicle.name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
    const color = isGhost ? 0x66e0ff : PAINTS[vehicle.name] ?? OTHER_PAINTS[hash % OTHER_PAINTS.length];
    const ghostly = isGhost ? { transparent: true, opacity: 0.38, depthWrite: false } : {};
    const standard = (options) => new THREE.MeshStandardMaterial({ ...options, ...ghostly });
    this.materials = {
      paint: isGhost ? standard({ color, roughness: 0.4 })
        : new THREE.MeshPhysicalMaterial({ color, roughness: 0.38, metalness: 0.25, clearcoat: 1, clearcoatRoughness: 0.06 }),
      glass: standard({ color: 0x0b1016, roughness: 0.06, metalness: 0.2, envMapIntensity: 1.4 }),
      dark: standard({ color: 0x15171a, roughness: 0.7 }),
      head: standard({ color: 0xf4f8ff, emissive: 0xdfe9ff, emissiveIntensity: 0.55, roughness: 0.15 }),
      brake: standard({ color: 0x7a0c10, emissive: 0xff0808, emissiveIntensity: 0.15, roughness: 0.25 }),
      back: standard({ color: 0xd8dde2, emissive: 0xffffff, emissiveIntensity: 0, roughness: 0.25 }),
    };
    const geometries = bodyGeometries(vehicle, true);
    for (const [name, geometry] of Object.entries(geometries)) {
      const mesh = new THREE.Mesh(geometry, this.materials[name]);
      mesh.castShadow = !isGhost;
      mesh.receiveShadow = !isGhost && name === "paint";
      this.body.add(mesh);
    }
    const rubber = standard({ color: 0x17181a, roughness: 0.92 });
    const alloy = standard({ color: 0xb9bec4, roughness: 0.3, metalness: 0.85 });
    const iron = standard({ color: 0x6c6a66, roughness: 0.5, metalness: 0.7 });
    this.wheels = vehicle.wheels.map(({ radius, halfWidth, place }) => {
      const { tire, rim, disc } = wheelGeometries(radius, halfWidth, true);
      const wheel = new THREE.Group();
      const inner = new THREE.Group();
      inner.add(new THREE.Mesh(tire, rubber), new THREE.Mesh(rim, alloy), new THREE.Mesh(disc, iron));
      inner.rotation.y = place[0] < 0 ? Math.PI : 0;
      inner.traverse((object) => (object.castShadow = !isGhost));
      wheel.add(inner);
      this.group.add(wheel);
      return wheel;
    });
  }

  /** Puts body and wheels where they are. */
  update(frame, { body, pose }) {
    const numbers = frame.numbers;
    this.body.position.fromArray(numbers, frame.at(body));
    this.body.quaternion.fromArray(numbers, frame.at(body) + 3);
    this.wheels.forEach((wheel, index) => {
      const at = frame.wheelAt(index, pose);
      wheel.position.fromArray(numbers, at);
      wheel.quaternion.fromArray(numbers, at + 3);
    });
  }

  light(isBraking, isReversing) {
    this.materials.brake.emissiveIntensity = isBraking ? 1.5 : 0.15;
    this.materials.back.emissiveIntensity = isReversing ? 1.6 : 0;
  }

  dispose() {
    this.group.removeFromParent();
    this.group.traverse((object) => object.geometry?.dispose());
  }
}

/** A thousand cars as instances of one. */
export class Crowd {
  constructor([length, width, height, up], count, first) {
    const radius = 0.318;
    const places = [[0.5, 1], [-0.5, 1], [0.5, -1], [-0.5, -1]];
    const wheels = places.map(([x, z]) => ({ place: [x * 1.53, up - 0.5 * height, z * 1.315], radius, halfWidth: 0.11 }));
    const vehicle = { name: "crowd", size: [length, width, height], bounds: [up - 0.5 * height, up + 0.5 * height], wheels };
    const colored = (geometry, color) => {
      const flat = geometry.index ? geometry.toNonIndexed() : geometry;
      flat.deleteAttribute("uv");
      const { r, g, b } = new THREE.Color(color);
      const colors = new Float32Array(3 * flat.attributes.position.count);
      for (let at = 0; at < colors.length; at += 3) colors.set([r, g, b], at);
      flat.setAttribute("color", new THREE.BufferAttribute(colors, 3));
      return flat;
    };
    const looks = { paint: 0xffffff, glass: 0x05080b, dark: 0x101214, head: 0xffffff, brake: 0x550508, back: 0x999999 };
    const parts = Object.entries(bodyGeometries(vehicle, false)).map(([name, geometry]) => colored(geometry, looks[name]));
    for (const { place } of wheels) {
      const wheel = new THREE.CylinderGeometry(radius, radius, 0.22, 10);
      wheel.rotateZ(Math.PI / 2);
      wheel.translate(...place);
      parts.push(colored(wheel, 0x0c0d0e));
    }
    this.first = first;
    this.mesh = new THREE.InstancedMesh(mergeGeometries(parts),
      new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.4, metalness: 0.2 }), count);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    const paint = new THREE.Color();
    for (let car = 0; car < count; car++) {
      paint.setHSL((car * 0.6180339) % 1, 0.55, 0.32 + 0.25 * ((car * 0.37) % 1));
      this.mesh.setColorAt(car, paint);
    }
    this.pose = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3(1, 1, 1), new THREE.Matrix4()];
  }

  update(frame) {
    const [place, turn, one, matrix] = this.pose;
    for (let car = 0; car < this.mesh.count; car++) {
      const at = frame.movingAt(this.first + car);
      matrix.compose(place.fromArray(frame.numbers, at), turn.fromArray(frame.numbers, at + 3), one);
      this.mesh.setMatrixAt(car, matrix);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
