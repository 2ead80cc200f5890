// A preset in a three.js page: arrows drive, Space is the hand brake.
import * as THREE from "three";
import { World } from "vehicles-for-rapier";

const world = await World.create();
world.ground();
const car = world.preset("hot_hatch");

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x9fb6cc);
scene.add(new THREE.HemisphereLight(0xffffff, 0x556655, 3), new THREE.GridHelper(400, 80));
const add = (geometry, color) => scene.add(new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }))).children.at(-1);
const [low, high] = car.bounds.map((corner) => new THREE.Vector3(...corner));
const body = add(new THREE.BoxGeometry(...high.clone().sub(low)).translate(...low.clone().add(high).multiplyScalar(0.5)), 0xc23b22);
const wheels = car.wheels.map(({ radius, halfWidth }) =>
  add(new THREE.CylinderGeometry(radius, radius, 2 * halfWidth, 24).rotateZ(Math.PI / 2), 0x222222));

const keys = new Set();
addEventListener("keydown", ({ code }) => keys.add(code));
addEventListener("keyup", ({ code }) => keys.delete(code));
addEventListener("blur", () => keys.clear());
const camera = new THREE.PerspectiveCamera(55, 1, 0.1, 1000);
const renderer = new THREE.WebGLRenderer();
const resize = () => {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
};
addEventListener("resize", resize);
resize();
document.body.append(renderer.domElement);
const show = (mesh, { place, rotation }) => { mesh.position.fromArray(place); mesh.quaternion.fromArray(rotation); };

let last = 0;
renderer.setAnimationLoop((now) => {
  const held = (code) => Number(keys.has(code));
  car.command({ throttle: held("ArrowUp"), brake: held("ArrowDown"), steer: held("ArrowLeft") - held("ArrowRight"), handBrake: held("Space") });
  world.advance((now - last) / 1000);
  last = now;
  show(body, car.pose);
  car.wheelPoses.forEach((pose, wheel) => show(wheels[wheel], pose));
  camera.position.set(0, 3, -7).applyQuaternion(body.quaternion).add(body.position);
  camera.lookAt(body.position);
  renderer.render(scene, camera);
  document.title = `${Math.round(3.6 * car.readings.speed)} km/h`;
});
