// Vehicles, drawn from the parts that the simulation says they are made of.
import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { discard } from "./discard.js";

/** A side view pulled across: along becomes z, up stays y; as wide at its lowest and highest corner as `half` says. */
function pulled({ outline, across, half }, detail) {
  const shape = new THREE.Shape(outline.map(([along, up]) => new THREE.Vector2(along, up)));
  const heights = outline.map(([, up]) => up);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const most = Math.max(...half);
  // Edges of what is large are rounded.
  const lengths = outline.map(([along]) => along);
  const least = Math.min(high - low, Math.max(...lengths) - Math.min(...lengths), 2 * most);
  const bevel = detail ? Math.min(0.07 * least, 0.06) : 0;
  const depth = Math.max(2 * (most - bevel), 0.01 * most);
  const geometry = new THREE.ExtrudeGeometry(shape, { depth, steps: 1, bevelEnabled: 0 < bevel,
    bevelThickness: bevel, bevelSize: bevel, bevelOffset: -bevel, bevelSegments: 2 });
  geometry.translate(0, 0, -0.5 * depth);
  geometry.rotateY(-Math.PI / 2); // Along: x to z; across: z to -x.
  const { position } = geometry.attributes;
  for (let corner = 0; corner < position.count; corner++) {
    const share = (position.getY(corner) - low) / Math.max(high - low, 1e-6);
    position.setX(corner, across + (position.getX(corner) * (half[0] + (half[1] - half[0]) * share)) / most);
  }
  geometry.computeVertexNormals();
  return geometry;
}

/** A rod with round ends. */
function rod({ ends, radius }, detail) {
  const [from, to] = ends.map((end) => new THREE.Vector3(...end));
  const way = to.clone().sub(from);
  const geometry = new THREE.CapsuleGeometry(radius, way.length(), detail ? 5 : 2, detail ? 14 : 6);
  geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize()));
  const middle = from.add(to).multiplyScalar(0.5);
  geometry.translate(middle.x, middle.y, middle.z);
  return geometry;
}

/** Geometries of a body by what its parts are made of. */
export function bodyGeometries({ parts }, detail) {
  const lists = {};
  for (const part of parts) {
    const geometry = part.ends ? rod(part, detail) : pulled(part, detail);
    const flat = geometry.index ? geometry.toNonIndexed() : geometry;
    flat.deleteAttribute("uv");
    (lists[part.paint] ??= []).push(flat);
  }
  return Object.fromEntries(Object.entries(lists).map(([paint, list]) => [paint, mergeGeometries(list)]));
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
  /** The car, or its ghost of a color. */
  constructor(vehicle, ghostColor = null) {
    const isGhost = ghostColor !== null;
    this.shape = vehicle.wheels;
    this.group = new THREE.Group();
    this.body = new THREE.Group();
    this.group.add(this.body);
    const [color, second] = isGhost ? [ghostColor, ghostColor] : vehicle.colors;
    const ghostly = isGhost ? { transparent: true, opacity: 0.38, depthWrite: false } : {};
    const standard = (options) => new THREE.MeshStandardMaterial({ ...options, ...ghostly });
    this.materials = {
      body: isGhost ? standard({ color, roughness: 0.4 })
        : new THREE.MeshPhysicalMaterial({ color, roughness: 0.38, metalness: 0.25, clearcoat: 1, clearcoatRoughness: 0.06 }),
      load: standard({ color: second, roughness: 0.75 }),
      metal: standard({ color: 0x8d9298, roughness: 0.4, metalness: 0.75 }),
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
      mesh.receiveShadow = !isGhost && name === "body";
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

  /** Puts body and wheels where they are among these numbers. */
  update(numbers, body, wheelAt) {
    this.body.position.fromArray(numbers, body);
    this.body.quaternion.fromArray(numbers, body + 3);
    this.wheels.forEach((wheel, index) => {
      const at = wheelAt(index);
      wheel.position.fromArray(numbers, at);
      wheel.quaternion.fromArray(numbers, at + 3);
    });
  }

  /** Puts the body where it is among these numbers, on wheels that roll along. */
  roll(numbers, body) {
    const before = this.body.position.clone();
    this.body.position.fromArray(numbers, body);
    this.body.quaternion.fromArray(numbers, body + 3);
    const nose = new THREE.Vector3(0, 0, 1).applyQuaternion(this.body.quaternion);
    this.way = ((this.way ?? 0) + this.body.position.clone().sub(before).dot(nose)) % 1e4;
    this.wheels.forEach((wheel, index) => {
      const { place, radius } = this.shape[index];
      wheel.position.fromArray(place).applyQuaternion(this.body.quaternion).add(this.body.position);
      wheel.quaternion.setFromAxisAngle(new THREE.Vector3(1, 0, 0), this.way / radius).premultiply(this.body.quaternion);
    });
  }

  light(isBraking, isReversing) {
    this.materials.brake.emissiveIntensity = isBraking ? 1.5 : 0.15;
    this.materials.back.emissiveIntensity = isReversing ? 1.6 : 0;
  }

  dispose() {
    discard(this.group);
  }
}

/** A thousand cars as instances of one. */
export class Crowd {
  constructor(vehicle, count, first) {
    const colored = (geometry, color) => {
      const flat = geometry.index ? geometry.toNonIndexed() : geometry;
      flat.deleteAttribute("uv");
      const { r, g, b } = new THREE.Color(color);
      const colors = new Float32Array(3 * flat.attributes.position.count);
      for (let at = 0; at < colors.length; at += 3) colors.set([r, g, b], at);
      flat.setAttribute("color", new THREE.BufferAttribute(colors, 3));
      return flat;
    };
    const looks = { body: 0xffffff, load: 0x101214, glass: 0x05080b, dark: 0x101214, metal: 0x666666, head: 0xffffff, brake: 0x550508, back: 0x999999 };
    const parts = Object.entries(bodyGeometries(vehicle, false)).map(([name, geometry]) => colored(geometry, looks[name]));
    for (const { place, radius, halfWidth } of vehicle.wheels) {
      const wheel = new THREE.CylinderGeometry(radius, radius, 2 * halfWidth, 10);
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
