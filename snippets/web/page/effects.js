// Skid marks, dust, smoke; force arrows, contact patches, friction circles.
import * as THREE from "three";
import { discard } from "./discard.js";
import { SURFACES } from "./simulation.js";

const MARKS = 3000;
const PARTICLES = 700;
const NEWTONS_PER_METER = 5000;
const LOOSE = { sand: [0.66, 0.56, 0.38], grass: [0.45, 0.42, 0.3] };

/** Marks of skidding tires, the oldest ones overwritten. */
class SkidMarks {
  constructor() {
    this.geometry = new THREE.BufferGeometry();
    this.corners = new Float32Array(MARKS * 12);
    this.colors = new Float32Array(MARKS * 16);
    const index = [];
    for (let mark = 0; mark < MARKS; mark++) index.push(...[0, 2, 1, 1, 2, 3].map((corner) => 4 * mark + corner));
    this.geometry.setAttribute("position", new THREE.BufferAttribute(this.corners, 3).setUsage(THREE.DynamicDrawUsage));
    this.geometry.setAttribute("color", new THREE.BufferAttribute(this.colors, 4).setUsage(THREE.DynamicDrawUsage));
    this.geometry.setIndex(index);
    this.mesh = new THREE.Mesh(this.geometry, new THREE.MeshBasicMaterial({
      vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide,
      polygonOffset: true, polygonOffsetFactor: -6, polygonOffsetUnits: -6,
    }));
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.next = 0;
    this.ends = [];
  }

  clear() {
    this.mesh.visible = false;
    this.colors.fill(0);
    this.geometry.attributes.color.needsUpdate = true;
    this.ends = [];
  }

  add(wheel, point, normal, across, halfWidth, strength, color) {
    const side = across.clone().multiplyScalar(halfWidth);
    const lifted = point.clone().addScaledVector(normal, 0.012);
    const end = { left: lifted.clone().add(side), right: lifted.clone().sub(side), strength };
    const last = this.ends[wheel];
    if (last && strength <= 0.02) {
      this.ends[wheel] = null;
      return;
    }
    const gap = last ? last.left.distanceTo(end.left) : 0;
    if (strength <= 0.02) return;
    if (last && gap < 0.12) return;
    if (last && gap < 3) {
      const mark = this.next;
      this.mesh.visible = true;
      [last.left, last.right, end.left, end.right].forEach((corner, number) => {
        corner.toArray(this.corners, 12 * mark + 3 * number);
        const alpha = number < 2 ? last.strength : end.strength;
        this.colors.set([...color, alpha], 16 * mark + 4 * number);
      });
      this.next = (mark + 1) % MARKS;
      this.geometry.attributes.position.needsUpdate = true;
      this.geometry.attributes.color.needsUpdate = true;
    }
    this.ends[wheel] = end;
  }
}

/** Smoke and dust: soft points that rise, grow and fade. */
class Particles {
  constructor() {
    this.places = new Float32Array(PARTICLES * 3);
    this.looks = new Float32Array(PARTICLES * 4);
    this.sizes = new Float32Array(PARTICLES);
    this.motion = Array.from({ length: PARTICLES }, () => ({ age: 9, life: 1, velocity: new THREE.Vector3(), size: 1, alpha: 0 }));
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute("position", new THREE.BufferAttribute(this.places, 3));
    this.geometry.setAttribute("look", new THREE.BufferAttribute(this.looks, 4));
    this.geometry.setAttribute("size", new THREE.BufferAttribute(this.sizes, 1));
    const material = new THREE.ShaderMaterial({
      transparent: true, depthWrite: false,
      uniforms: { scale: { value: 800 } },
      vertexShader: `attribute vec4 look; attribute float size; varying vec4 color; uniform float scale;
        void main() {
          color = look; vec4 seen = modelViewMatrix * vec4(position, 1.0);
          gl_PointSize = min(size * scale / max(-seen.z, 0.1), 320.0);
          gl_Position = projectionMatrix * seen;
        }`,
      fragmentShader: `varying vec4 color;
        void main() {
          float away = length(gl_PointCoord - 0.5) * 2.0;
          gl_FragColor = vec4(color.rgb, color.a * pow(max(1.0 - away, 0.0), 1.5));
          #include <colorspace_fragment>
        }`,
    });
    this.points = new THREE.Points(this.geometry, material);
    this.points.frustumCulled = false;
    this.points.visible = false;
    this.next = 0;
  }

  emit(point, velocity, color, size, alpha, life) {
    const number = this.next;
    this.next = (number + 1) % PARTICLES;
    this.points.visible = true;
    point.toArray(this.places, 3 * number);
    this.looks.set([...color, alpha], 4 * number);
    const particle = this.motion[number];
    Object.assign(particle, { age: 0, life, size, alpha });
    particle.velocity.copy(velocity);
  }

  update(dt) {
    for (let number = 0; number < PARTICLES; number++) {
      const particle = this.motion[number];
      particle.age += dt;
      const part = particle.age / particle.life;
      if (1 <= part) {
        this.sizes[number] = 0;
        continue;
      }
      particle.velocity.multiplyScalar(1 - 1.2 * dt);
      for (let axis = 0; axis < 3; axis++) this.places[3 * number + axis] += particle.velocity.getComponent(axis) * dt;
      this.sizes[number] = particle.size * (0.5 + 2.2 * part);
      this.looks[4 * number + 3] = particle.alpha * (1 - part) ** 1.4;
    }
    for (const name of ["position", "look", "size"]) this.geometry.attributes[name].needsUpdate = true;
  }
}

/** An arrow of thin boxes, seen through everything. */
function arrow(color) {
  const material = new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.92 });
  const shaft = new THREE.CylinderGeometry(0.028, 0.028, 1, 8);
  shaft.translate(0, 0.5, 0);
  const head = new THREE.ConeGeometry(0.085, 0.2, 12);
  const group = new THREE.Group();
  const [line, tip] = [new THREE.Mesh(shaft, material), new THREE.Mesh(head, material)];
  line.renderOrder = tip.renderOrder = 10;
  group.add(line, tip);
  group.point = (from, vector) => {
    const length = vector.length();
    group.visible = 0.03 < length;
    if (!group.visible) return;
    group.position.copy(from);
    group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), vector.clone().divideScalar(length));
    line.scale.y = Math.max(length - 0.1, 0.01);
    tip.position.y = length;
  };
  return group;
}

class Forces {
  constructor(wheels) {
    this.group = new THREE.Group();
    const circle = new THREE.BufferGeometry().setFromPoints(
      Array.from({ length: 49 }, (_, step) => new THREE.Vector3(Math.cos((step * Math.PI) / 24), 0, Math.sin((step * Math.PI) / 24))));
    this.wheels = wheels.map(({ halfWidth, radius }) => {
      const parts = {
        load: arrow(0x57d98a),
        ground: arrow(0xffa43a),
        circle: new THREE.Line(circle, new THREE.LineBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true, opacity: 0.8 })),
        patch: new THREE.Mesh(new THREE.PlaneGeometry(2 * halfWidth, 0.55 * radius).rotateX(-Math.PI / 2),
          new THREE.MeshBasicMaterial({ color: 0x4fc3ff, depthTest: false, transparent: true, opacity: 0.55 })),
      };
      parts.circle.renderOrder = 9;
      parts.patch.renderOrder = 8;
      this.group.add(...Object.values(parts));
      return parts;
    });
    this.group.visible = false;
  }

  update(frame, contacts) {
    this.wheels.forEach((parts, wheel) => {
      const contact = contacts[wheel];
      for (const part of Object.values(parts)) part.visible = contact.isOnGround;
      if (!contact.isOnGround) return;
      const { point, normal, forward } = contact;
      const used = frame.wheel(wheel, "used");
      parts.load.point(point, normal.clone().multiplyScalar(frame.wheel(wheel, "load") / NEWTONS_PER_METER));
      const force = new THREE.Vector3().fromArray(frame.numbers, frame.wheelAt(wheel, "force"));
      parts.ground.point(point, force.divideScalar(NEWTONS_PER_METER));
      const across = normal.clone().cross(forward);
      const turn = new THREE.Matrix4().makeBasis(across, normal, forward);
      for (const part of [parts.circle, parts.patch]) {
        part.position.copy(point).addScaledVector(normal, 0.015);
        part.quaternion.setFromRotationMatrix(turn);
      }
      parts.circle.scale.setScalar(frame.wheel(wheel, "grip") / NEWTONS_PER_METER);
      parts.circle.material.color.setHSL(0.36 * (1 - Math.min(used, 1)), 0.9, 0.6);
    });
  }
}

export class Effects {
  constructor(scene) {
    this.marks = new SkidMarks();
    this.particles = new Particles();
    this.forces = null;
    scene.add(this.marks.mesh, this.particles.points);
    this.scene = scene;
    this.emission = 0;
  }

  build(vehicle) {
    const isShown = this.forces?.group.visible ?? false;
    if (this.forces) discard(this.forces.group);
    this.forces = new Forces(vehicle.wheels);
    this.forces.group.visible = isShown;
    this.scene.add(this.forces.group);
    this.vehicle = vehicle;
    this.marks.clear();
  }

  update(frame, dt, viewHeight) {
    this.particles.points.material.uniforms.scale.value = viewHeight;
    const body = new THREE.Quaternion().fromArray(frame.numbers, frame.at("body") + 3);
    const nose = new THREE.Vector3(0, 0, 1).applyQuaternion(body);
    const speed = frame.get("speed");
    this.emission += dt * 60;
    const bursts = Math.floor(this.emission);
    this.emission -= bursts;
    const contacts = this.vehicle.wheels.map(({ halfWidth }, wheel) => {
      const isOnGround = 0.5 < frame.wheel(wheel, "onGround");
      const point = new THREE.Vector3().fromArray(frame.numbers, frame.wheelAt(wheel, "point"));
      const normal = new THREE.Vector3().fromArray(frame.numbers, frame.wheelAt(wheel, "normal"));
      // The axle is the wheel's x, however it has turned.
      const axle = new THREE.Vector3(1, 0, 0).applyQuaternion(new THREE.Quaternion().fromArray(frame.numbers, frame.wheelAt(wheel, "pose") + 3));
      const forward = axle.clone().cross(normal).normalize();
      const surface = SURFACES[frame.wheel(wheel, "surface")];
      const skid = frame.wheel(wheel, "skid");
      const isSkidding = 0.5 < frame.wheel(wheel, "skidding");
      const loose = LOOSE[surface];
      const strength = !isOnGround ? 0 : loose ? 0.42 : isSkidding && surface !== "ice" ? Math.min(0.25 + skid / 12, 0.75) : 0;
      const color = loose ? loose.map((part) => part * 0.35) : [0.03, 0.03, 0.035];
      this.marks.add(wheel, point, normal, axle, halfWidth, strength, color);
      if (isOnGround) this.smoke(bursts, { point, normal, nose, skid, isSkidding, loose, surface, speed });
      return { isOnGround, point, normal, forward };
    });
    this.particles.update(dt);
    if (this.forces.group.visible) this.forces.update(frame, contacts);
  }

  smoke(bursts, { point, normal, nose, skid, isSkidding, loose, surface, speed }) {
    const isSmoke = isSkidding && 3 < skid && !["ice", "wet", "sand", "grass"].includes(surface);
    const dust = loose ? Math.min((Math.abs(speed) + skid) / 18, 1) : 0;
    const share = isSmoke ? Math.min((skid - 2) / 10, 1) : surface === "wet" ? 0.5 * Math.min(Math.abs(speed) / 20, 1) : dust;
    for (let burst = 0; burst < bursts; burst++) {
      if (0.75 * share <= Math.random()) continue;
      const spread = () => Math.random() - 0.5;
      const velocity = nose.clone().multiplyScalar(-0.08 * speed - 0.12 * skid * Math.sign(speed || 1));
      velocity.add(new THREE.Vector3(spread() * 1.2, 0.5 + Math.random() * 0.9, spread() * 1.2));
      const place = point.clone().addScaledVector(normal, 0.08).add(new THREE.Vector3(spread() * 0.2, 0, spread() * 0.2));
      if (isSmoke) this.particles.emit(place, velocity, [0.86, 0.87, 0.9], 0.55 + 0.4 * share, 0.20 + 0.2 * share, 1.6);
      else if (loose) this.particles.emit(place, velocity, loose, 0.6 + 0.5 * share, 0.3 * share, 1.4);
      else this.particles.emit(place, velocity, [0.85, 0.9, 0.95], 0.4, 0.12, 0.5);
    }
  }
}
