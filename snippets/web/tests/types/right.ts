import { World, type Pose, type Readings } from "../../package/index.js";

const world = await World.create({ wasm: new Uint8Array(8) });
world.ground({ half: 100, friction: 0.8 });
const box = world.box({ half: [1, 1, 1], mass: 5 });
const pose: Pose | undefined = box?.pose;
const car = world.preset("hot_hatch", { place: [0, 0, 3] });
car.command({ throttle: 1 });
world.step();
const readings: Readings = car.readings;
const speeds: number[] = [readings.speed, readings.engineSpeed ?? 0, ...readings.wheels.map((wheel) => wheel.load)];
export { pose, speeds };
