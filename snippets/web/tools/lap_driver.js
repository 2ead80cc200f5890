// Drives around the page's circuit, for tests and pictures.

/** Drives the vehicle of `page` from gate to gate at `speed` (m/s), until it has made `laps` laps more or `steps` steps. */
export function driveLaps(page, { laps = 1, speed = 12, steps = 20_000 }) {
  return page.evaluate(({ laps, speed, steps }) => {
    const { playground } = window;
    const { gates, state, simulation, input } = playground;
    playground.renderer.setAnimationLoop(null);
    // The middle of the road, as a curve through the middles of the gates.
    const way = gates.flatMap((_, gate) => {
      const [a, b, c, d] = [-1, 0, 1, 2].map((by) => gates.at((gate + by) % gates.length));
      return Array.from({ length: 20 }, (_, part) => part / 20).map((u) => [0, 1].map((axis) => 0.5 * (2 * b[axis]
        + (c[axis] - a[axis]) * u + (2 * a[axis] - 5 * b[axis] + 4 * c[axis] - d[axis]) * u * u
        + (3 * b[axis] - a[axis] - 3 * c[axis] + d[axis]) * u * u * u)));
    });
    playground.tick(1 / 60, false);
    const target = state.laps.count + laps;
    let step = 0;
    for (; state.laps.count < target && step < steps; step++) {
      const [x, , z] = state.place;
      const far = (point) => Math.hypot(point[0] - x, point[1] - z);
      const nearest = way.reduce((best, point, at) => (far(point) < far(way[best]) ? at : best), 0);
      const [aimX, aimZ] = way[(nearest + 5) % way.length];
      const angle = Math.atan2(aimX - x, aimZ - z) - state.heading;
      const turn = Math.atan2(Math.sin(angle), Math.cos(angle));
      const missing = speed - state.speed;
      Object.assign(input.touch, { steer: Math.max(-1, Math.min(1, 3 * turn)) || 1e-6, throttle: Math.max(0, Math.min(1, 0.5 * missing)), brake: missing < -1 ? 0.3 : 0 });
      playground.tick(1 / 60, false);
    }
    Object.assign(input.touch, { steer: 0, throttle: 0, brake: 0 });
    playground.tick(0);
    return { step, laps: state.laps, size: simulation.recording().length };
  }, { laps, speed, steps });
}
