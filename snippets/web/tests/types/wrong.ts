import { World } from "../../package/index.js";

const world = await World.create();
const car = world.preset("hot_hatch");
car.command({ gas: 1 });
world.step("3");
export const power = car.readings.horsepower;
