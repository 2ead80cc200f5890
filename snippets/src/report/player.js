'use strict';
(() => {
  const data = JSON.parse(document.getElementById('readings').textContent);
  const { times, columns, charts, view } = data;
  const first = times[0], last = times[times.length - 1];
  const SVG = 'http://www.w3.org/2000/svg';
  const listeners = [];
  let now = first;

  /** Where a time is among the samples: the number of the one before it, and the part of the way to the next. */
  function placeOf(time) {
    return Math.min(Math.max((time - first) / (last - first), 0), 1) * (times.length - 1);
  }

  /** What a column is at a time: between two samples, on the straight line between them. */
  function at(column, time) {
    const values = columns[column];
    const place = placeOf(time);
    const index = Math.min(Math.floor(place), times.length - 2);
    const [before, after] = [values[index], values[index + 1]];
    if (before === null || after === null) return place - index < 0.5 ? before : after;
    return before + (after - before) * (place - index);
  }

  function setTime(time) {
    now = Math.min(Math.max(time, first), last);
    for (const listener of listeners) listener(now);
  }

  // The charts: a line at the time, and what each of the lines is there.
  for (const figure of document.querySelectorAll('figure[data-chart]')) {
    const chart = charts[Number(figure.dataset.chart)];
    const svg = figure.querySelector(':scope > svg');
    const { width, height } = svg.viewBox.baseVal;
    const units = width / 640;
    const toPixel = time => (chart.left
      + (time - chart.low) / (chart.high - chart.low) * (chart.right - chart.left)) * units;
    const line = svg.appendChild(document.createElementNS(SVG, 'line'));
    line.setAttribute('class', 'cursor');
    line.setAttribute('y1', 0);
    line.setAttribute('y2', height);

    const caption = figure.querySelector('figcaption');
    const list = caption.querySelector('ul') || caption.appendChild(document.createElement('ul'));
    const named = [...list.querySelectorAll('li')].filter(item => item.querySelector('.key'));
    const readings = chart.columns.map((column, index) => {
      const item = named[index] || list.appendChild(document.createElement('li'));
      const reading = item.appendChild(document.createElement('span'));
      reading.className = 'reading';
      return reading;
    });
    listeners.push(time => {
      const x = toPixel(time);
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
      chart.columns.forEach((column, index) => {
        const value = at(column, time);
        readings[index].textContent = value === null ? '–' : String(+value.toPrecision(4));
      });
    });

    figure.classList.add('scrubs');
    const scrub = event => {
      if (event.type === 'pointermove' && event.pointerType !== 'mouse' && !event.buttons) return;
      const box = svg.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * 640;
      pause();
      setTime(chart.low + (x - chart.left) / (chart.right - chart.left) * (chart.high - chart.low));
    };
    svg.addEventListener('pointermove', scrub);
    svg.addEventListener('pointerdown', scrub);
  }

  // Time that runs.
  let playing = 0;
  let pace = 1;
  let pause = () => {};

  if (view) {
    const figure = document.getElementById('moving');
    figure.hidden = false;
    const canvas = figure.querySelector('canvas');
    const [button, slider, output, select] =
      ['button', 'input', 'output', 'select'].map(name => figure.querySelector(name));
    [slider.min, slider.max, slider.value] = [first, last, first];
    slider.addEventListener('input', () => { pause(); setTime(Number(slider.value)); });
    select.addEventListener('change', () => { pace = Number(select.value); });
    pause = () => { playing = 0; button.textContent = 'Play'; };
    let before = 0;
    const frame = clock => {
      if (!playing) return;
      setTime(now + pace * Math.min((clock - before) / 1000, 0.1));
      before = clock;
      if (now < last) requestAnimationFrame(frame); else pause();
    };
    button.addEventListener('click', () => {
      if (playing) return pause();
      if (last <= now) setTime(first);
      [playing, button.textContent] = [1, 'Pause'];
      requestAnimationFrame(clock => { before = clock; frame(clock); });
    });
    const draw = scene(canvas, view.vehicles, view.marks);
    listeners.push(time => {
      slider.value = time;
      output.textContent = `${time.toFixed(2)} s, ${Math.round(3.6 * at(view.vehicles[0].speed, time)) || 0} km/h`;
      draw(time);
    });
    new ResizeObserver(() => draw(now)).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw(now));
  }

  /** Draws the vehicles from above, from the right and from behind. */
  function scene(canvas, vehicles, marks) {
    const context = canvas.getContext('2d');
    const wheels = vehicles.flatMap(vehicle => vehicle.wheels);
    // Angles by which wheels have turned at the sampled times.
    for (const wheel of wheels) {
      let angle = 0;
      wheel.angles = times.map((time, index) => {
        const speed = columns[wheel.rotationSpeed][index] || 0;
        return index ? angle += speed * (time - times[index - 1]) : 0;
      });
    }
    const largestLoad = Math.max(1, ...wheels.map(wheel =>
      columns[wheel.load].reduce((most, load) => Math.max(most, load || 0), 0)));
    const usual = Math.max(1, ...wheels.map(wheel => {
      const sorted = columns[wheel.load].filter(load => load !== null).sort((a, b) => a - b);
      return sorted[Math.floor(sorted.length / 2)] || 0;
    }));
    const loadScale = Math.min(largestLoad, 3 * usual);
    const USE = ['#009E73', '#E6C229', '#D55E00'];
    document.getElementById('use-ramp').style.background = `linear-gradient(to right, ${USE.join(', ')})`;

    const color = name => getComputedStyle(canvas).getPropertyValue(name);
    const rgb = hex => [1, 3, 5].map(start => parseInt(hex.slice(start, start + 2), 16));
    const useColor = use => {
      const place = Math.min(Math.max(use || 0, 0), 1) * 2;
      const index = Math.min(Math.floor(place), 1);
      const [from, to] = [rgb(USE[index]), rgb(USE[index + 1])];
      return `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * (place - index)))})`;
    };

    /** A vehicle at a time: its pose, and where its wheels are in its own axes. */
    function posed(vehicle, time) {
      const [left, up, forward] = vehicle.place.map(column => at(column, time) || 0);
      const [heading, pitch, roll] = vehicle.attitude.map(column => at(column, time) || 0);
      const posedWheels = vehicle.wheels.map(wheel => {
        const jounce = at(wheel.jounce, time) || 0;
        return {
          center: wheel.droop.map((value, axis) => value + wheel.rise[axis] * jounce),
          radius: wheel.radius, halfWidth: wheel.halfWidth,
          steer: at(wheel.steer, time) || 0, angle: wheel.angles[Math.round(placeOf(time))],
          load: at(wheel.load, time) || 0, use: at(wheel.use, time) || 0,
        };
      });
      const { box, parts, hitches } = vehicle;
      return { left, up, forward, heading, pitch, roll, wheels: posedWheels, box, parts, hitches };
    }

    // Front, rear, side, bottom and top from the center of mass: of its parts, or of a box around the wheels.
    for (const vehicle of vehicles) {
      for (const part of vehicle.parts) part.span = spanOf(part);
      if (vehicle.parts.length) {
        const spans = vehicle.parts.map(part => part.span);
        const [least, most] = [Math.min, Math.max].map((of, end) => [0, 1, 2].map(axis => of(...spans.map(span => span[axis][end]))));
        vehicle.box = { front: most[0], rear: least[0], side: Math.max(most[1], -least[1]), bottom: least[2], top: most[2] };
        continue;
      }
      const radius = Math.max(...vehicle.wheels.map(wheel => wheel.radius));
      const along = vehicle.wheels.map(wheel => wheel.droop[0]);
      const side = Math.max(...vehicle.wheels.map(wheel => Math.abs(wheel.droop[1]) + wheel.halfWidth));
      const hub = Math.min(...vehicle.wheels.map(wheel => wheel.droop[2]));
      vehicle.box = {
        front: Math.max(...along) + 2.4 * radius, rear: Math.min(...along) - 2.2 * radius,
        side: side, bottom: hub + 0.35 * radius, top: hub + 3.6 * radius,
      };
    }

    /** From and to of a part: forward, to the left, up. */
    function spanOf({ outline, across, half, ends, radius }) {
      const range = values => [Math.min(...values), Math.max(...values)];
      if (ends) return [0, 1, 2].map(axis => range(ends.flatMap(end => [end[axis] - radius, end[axis] + radius])));
      const most = Math.max(...half);
      return [range(outline.map(([along]) => along)), [across - most, across + most], range(outline.map(([, up]) => up))];
    }

    /** A line of these points, closed. */
    function polygon(points) {
      const path = new Path2D();
      points.forEach(([x, y], index) => (index ? path.lineTo(x, y) : path.moveTo(x, y)));
      path.closePath();
      return path;
    }

    /** Parts of a vehicle, from the farthest to the nearest: `shape` of a part is its outline, `flat` the place of a point. */
    function paintParts(parts, farther, shape, flat, scale) {
      context.lineJoin = context.lineCap = 'round';
      for (const part of [...parts].sort((a, b) => farther(b) - farther(a))) {
        context.strokeStyle = color('--text');
        if (part.ends) {
          const line = polygon(part.ends.map(flat));
          for (const [style, more] of [[color('--text'), 1.2], [part.color, 0]]) {
            [context.strokeStyle, context.lineWidth] = [style, 2 * part.radius * scale + more];
            context.stroke(line);
          }
        } else {
          const path = polygon(shape(part));
          [context.fillStyle, context.lineWidth] = [part.color, 0.6];
          context.fill(path);
          context.stroke(path);
        }
      }
      context.lineCap = 'butt';
    }

    function draw(time) {
      const box = canvas.getBoundingClientRect();
      if (!box.width) return;
      const ratio = devicePixelRatio || 1;
      const isNarrow = box.width < 620;
      const [width, height] = [box.width, isNarrow ? 460 : 300];
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.style.height = `${height}px`;
        [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      const all = vehicles.map(vehicle => posed(vehicle, time));
      const split = isNarrow
        ? [[0, 0, width, 270], [0, 280, width * 0.66, 180], [width * 0.66, 280, width * 0.34, 180]]
        : [[0, 0, width * 0.42, height], [width * 0.43, 0, width * 0.37, height],
          [width * 0.81, 0, width * 0.19, height]];
      inside(split[0], area => fromAbove(area, all));
      inside(split[1], area => fromSide(area, all));
      inside(split[2], area => fromBehind(area, all[0]));
    }

    function inside([left, top, width, height], show) {
      context.save();
      context.beginPath();
      context.rect(left, top, width, height);
      context.clip();
      context.translate(left, top);
      show({ width, height });
      context.restore();
    }

    function fromAbove({ width, height }, all) {
      const head = all[0];
      const boxes = all.map(vehicle => vehicle.box);
      const length = Math.max(...boxes.map(box => box.front - box.rear));
      const scale = Math.min(width, height) / (4.6 * length * Math.min(all.length, 1.2));
      const to = (left, forward) =>
        [width / 2 - (left - head.left) * scale, height * 0.55 - (forward - head.forward) * scale];
      // The ground, in squares that move below the vehicle.
      context.strokeStyle = color('--border');
      context.lineWidth = 1;
      const grid = 5;
      context.beginPath();
      for (let x = Math.ceil((head.left - width / 2 / scale) / grid) * grid; x < head.left + width / 2 / scale; x += grid) {
        const [px] = to(x, 0);
        context.moveTo(px, 0);
        context.lineTo(px, height);
      }
      for (let z = Math.ceil((head.forward - height / scale) / grid) * grid; z < head.forward + height / scale; z += grid) {
        const [, py] = to(0, z);
        context.moveTo(0, py);
        context.lineTo(width, py);
      }
      context.stroke();
      for (const { color: fill, outline: corners } of marks) {
        [context.fillStyle, context.globalAlpha] = [fill, 0.75];
        const path = polygon(corners.map(([left, forward]) => to(left, forward)));
        context.fill(path);
        // What is as small as a cone is still seen.
        [context.strokeStyle, context.lineWidth] = [fill, 3];
        context.stroke(path);
        context.globalAlpha = 1;
      }
      // The way of the first vehicle.
      const [lefts, , forwards] = vehicles[0].place.map(column => columns[column]);
      context.strokeStyle = color('--faint');
      context.lineWidth = 1.5;
      context.beginPath();
      lefts.forEach((left, index) => {
        if (left === null) return;
        const [px, py] = to(left, forwards[index]);
        index ? context.lineTo(px, py) : context.moveTo(px, py);
      });
      context.stroke();
      for (const vehicle of all) {
        context.save();
        context.translate(...to(vehicle.left, vehicle.forward));
        context.rotate(-vehicle.heading);
        for (const wheel of vehicle.wheels) {
          const [forward, left] = wheel.center;
          context.save();
          context.translate(-left * scale, -forward * scale);
          // As wide as its load.
          context.fillStyle = useColor(wheel.use);
          context.globalAlpha = 0.25;
          context.beginPath();
          context.arc(0, 0, Math.sqrt(Math.max(wheel.load, 0) / loadScale) * 2.6 * wheel.radius * scale, 0, 7);
          context.fill();
          context.globalAlpha = 1;
          context.rotate(-wheel.steer);
          context.fillRect(-wheel.halfWidth * scale, -wheel.radius * scale,
            2 * wheel.halfWidth * scale, 2 * wheel.radius * scale);
          context.restore();
        }
        const { front, rear, side } = vehicle.box;
        if (vehicle.parts.length) {
          context.globalAlpha = 0.8;
          paintParts(vehicle.parts, part => -part.span[2][1], ({ span: [[from, until], [right, left]] }) =>
            [[-left, -until], [-right, -until], [-right, -from], [-left, -from]].map(point => point.map(value => value * scale)),
          ([forward, left]) => [-left * scale, -forward * scale], scale);
          context.globalAlpha = 1;
        } else {
          outline(rounded(-side * scale, -front * scale, 2 * side * scale, (front - rear) * scale, 0.3 * scale), 0.16);
        }
        drawHitches(vehicle, ([forward, left]) => [-left * scale, -forward * scale]);
        // An arrow before its nose: where ahead is.
        const tip = -(front + 1.1) * scale;
        context.strokeStyle = color('--text');
        context.lineWidth = 1.5;
        context.beginPath();
        context.moveTo(0, -(front + 0.2) * scale);
        context.lineTo(0, tip);
        context.moveTo(-0.25 * scale, tip + 0.35 * scale);
        context.lineTo(0, tip);
        context.lineTo(0.25 * scale, tip + 0.35 * scale);
        if (vehicle === head) context.stroke();
        context.restore();
      }
      label(`${grid} m squares, axes as those of the path`, 8, height - 24);
      label('the arrow points ahead', 8, height - 8);
    }

    function rounded(left, top, width, height, radius) {
      const path = new Path2D();
      path.roundRect(left, top, width, height, Math.min(radius, width / 2, height / 2));
      return path;
    }

    function outline(path, fill) {
      context.fillStyle = context.strokeStyle = color('--text');
      context.lineWidth = 1.5;
      context.globalAlpha = fill;
      context.fill(path);
      context.globalAlpha = 1;
      context.stroke(path);
    }

    /** Where a vehicle is coupled. */
    function drawHitches({ hitches }, flat) {
      for (const hitch of hitches) {
        context.fillStyle = '#009E73';
        context.beginPath();
        context.arc(...flat(hitch), 3.5, 0, 7);
        context.fill();
      }
    }

    function label(text, x, y) {
      context.fillStyle = color('--faint');
      context.font = '12px system-ui, sans-serif';
      context.fillText(text, x, y);
    }

    /** What a view along the ground shows: bodies and wheels that turn, on their places. */
    function alongGround({ width, height }, all, options) {
      const { across, tilt, span, isDisk } = options;
      const scale = Math.min((width - 24) / span.width, (height - 60) / span.height);
      const ground = height - 44;
      const lowest = Math.min(...all.flatMap(vehicle => vehicle.wheels.map(wheel => wheel.bottom = bottom(vehicle, wheel))));
      function bottom(vehicle, wheel) {
        return vehicle.up + rotated(vehicle, wheel.center)[1] - wheel.radius;
      }
      function rotated(vehicle, point) {
        const angle = tilt(vehicle);
        const [along, up] = [across(point), point[2]];
        return [along * Math.cos(angle) - up * Math.sin(angle), along * Math.sin(angle) + up * Math.cos(angle)];
      }
      const to = (along, up) => [width / 2 + (along - span.middle) * scale, ground - (up - lowest) * scale];
      for (const vehicle of all) {
        const offset = options.offset(vehicle);
        const { front, rear, side, bottom: low, top } = vehicle.box;
        const [from, until] = isDisk ? [rear, front] : [-side, side];
        context.save();
        context.translate(...to(offset, vehicle.up));
        context.rotate(-tilt(vehicle));
        const flat = point => [across(point) * scale, -point[2] * scale];
        if (vehicle.parts.length) {
          const shape = isDisk ? part => part.outline.map(([along, up]) => [along * scale, -up * scale]) : part => {
            const [bottom, head] = part.span[2];
            const [lower, upper] = part.half;
            const middle = -part.across;
            return [[middle - lower, bottom], [middle - upper, head], [middle + upper, head], [middle + lower, bottom]]
              .map(([x, up]) => [x * scale, -up * scale]);
          };
          // From the right, what is farthest to the left is behind; from behind, what is farthest ahead.
          const farther = isDisk ? part => part.span[1][0] : part => part.span[0][0];
          paintParts(vehicle.parts, farther, shape, flat, scale);
        } else {
          outline(rounded(from * scale, -top * scale, (until - from) * scale, (top - low) * scale, 0.35 * scale), 0.16);
        }
        if (isDisk) drawHitches(vehicle, flat);
        context.restore();
        for (const wheel of vehicle.wheels) {
          const [along, up] = rotated(vehicle, wheel.center);
          const [px, py] = to(offset + along, vehicle.up + up);
          context.save();
          context.translate(px, py);
          context.fillStyle = useColor(wheel.use);
          context.strokeStyle = color('--text');
          context.lineWidth = 1.5;
          context.globalAlpha = isDisk && 0 < wheel.center[1] ? 0.35 : 1;
          context.beginPath();
          if (isDisk) {
            context.arc(0, 0, wheel.radius * scale, 0, 7);
            context.fill();
            context.stroke();
            context.beginPath();
            for (const turn of [0, Math.PI / 2]) {
              const [x, y] = [Math.cos(wheel.angle + turn), Math.sin(wheel.angle + turn)].map(part => part * 0.8 * wheel.radius * scale);
              context.moveTo(-x, -y);
              context.lineTo(x, y);
            }
            context.stroke();
          } else {
            context.rect(-wheel.halfWidth * scale, -wheel.radius * scale, 2 * wheel.halfWidth * scale, 2 * wheel.radius * scale);
            context.fill();
            context.stroke();
          }
          // The load, from the ground down, and the ground where there is one.
          const foot = wheel.radius * scale;
          if (0 < wheel.load) {
            context.fillStyle = color('--text');
            const bar = Math.min(wheel.load / loadScale, 1) * 36;
            const shift = isDisk && 0 < wheel.center[1] ? 7 : 0;
            context.fillRect(shift - 3, foot + 3, 5, bar);
            if (!isDisk) context.fillRect(-1.2 * foot, foot + 0.5, 2.4 * foot, 1.5);
          }
          context.restore();
        }
      }
      if (isDisk) drawGround(all, to, options.offset, rotated);
    }

    /** The ground below the wheels that stand on it: level, a slope, or a step. */
    function drawGround(all, to, offset, rotated) {
      const feet = all.flatMap(vehicle => vehicle.wheels.filter(wheel => 0 < wheel.load).map(wheel => {
        const [along, up] = rotated(vehicle, wheel.center);
        return [offset(vehicle) + along, vehicle.up + up - wheel.radius, wheel.radius];
      })).sort((a, b) => a[0] - b[0]);
      if (!feet.length) return;
      const [first, last] = [feet[0], feet[feet.length - 1]];
      const slope = (last[1] - first[1]) / Math.max(last[0] - first[0], 0.1);
      const beyond = (foot, way) => [foot[0] + way, foot[1] + way * slope];
      context.strokeStyle = color('--text');
      context.lineWidth = 1.5;
      context.beginPath();
      [beyond(first, -2 * first[2]), ...feet, beyond(last, 2 * last[2])].forEach(([along, up], index) =>
        (index ? context.lineTo(...to(along, up)) : context.moveTo(...to(along, up))));
      context.stroke();
    }

    function fromSide(area, all) {
      const head = all[0];
      const ends = all.flatMap(vehicle => {
        const offset = distance(head, vehicle);
        return [offset + vehicle.box.front, offset + vehicle.box.rear];
      });
      const [front, rear] = [Math.max(...ends), Math.min(...ends)];
      alongGround(area, all, {
        across: point => point[0], tilt: vehicle => vehicle.pitch, isDisk: true,
        offset: vehicle => distance(head, vehicle),
        span: { width: front - rear + 0.4, height: tallest(all), middle: (front + rear) / 2 },
      });
      label('from the right', 8, 16);
    }

    /** How far a vehicle is before the first, along the first. */
    function distance(head, vehicle) {
      const [left, forward] = [vehicle.left - head.left, vehicle.forward - head.forward];
      const straight = Math.hypot(left, forward);
      return Math.sign(forward * Math.cos(head.heading) + left * Math.sin(head.heading)) * straight;
    }

    /** How high a view must be (m). */
    function tallest(all) {
      const height = ({ box, wheels }) => box.top - Math.min(...wheels.map(wheel => wheel.center[2] - wheel.radius));
      return 1.08 * Math.max(...all.map(height));
    }

    function fromBehind(area, vehicle) {
      alongGround(area, [vehicle], {
        across: point => -point[1], tilt: it => -it.roll, isDisk: false, offset: () => 0,
        span: { width: 2 * vehicle.box.side + 0.6, height: tallest([vehicle]), middle: 0 },
      });
      label('from behind', 8, 16);
    }

    return draw;
  }

  setTime(first);
})();
