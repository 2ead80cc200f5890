"""Makes the files of CommonRoad's cars anew: vehicles, manoeuvres, and what the package says of them.

    python3 -m venv venv
    venv/bin/pip install commonroad-vehicle-models==3.0.2 scipy
    venv/bin/python snippets/evidence/commonroad.py

The package has the multi-body cars of Althoff and Würsching (BSD 3-Clause, Technical University of
Munich). Its axes are those of SAE, y to the right and z down; files are in those of ISO 8855.
"""

import json
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from vehiclemodels.init_mb import init_mb
from vehiclemodels.parameters_vehicle1 import parameters_vehicle1
from vehiclemodels.parameters_vehicle2 import parameters_vehicle2
from vehiclemodels.parameters_vehicle3 import parameters_vehicle3
from vehiclemodels.vehicle_dynamics_mb import vehicle_dynamics_mb

FOLDER = Path(__file__).parent
SOURCE = "CommonRoad vehicle models 3.0.2, multi-body car (BSD 3-Clause, Technical University of Munich)"
# Parameter sets of the cars.
CARS = {
    "ford_escort": ("Ford Escort", parameters_vehicle1),
    "bmw_320i": ("BMW 320i", parameters_vehicle2),
    "vw_vanagon": ("VW Vanagon", parameters_vehicle3),
}
GRAVITY = 9.81
TRAVEL = 0.3
# Acceleration and deceleration of full pedals (m/s²).
FULL = 10.0
# Indices of the package's state.
X, Y, SPEED, YAW_RATE, ROLL, SIDEWAYS = 0, 1, 3, 5, 6, 10
LATERAL = [4, 5, 6, 7, 10, 13, 14, 15, 18, 19, 20, 27, 28]

# Start speed (m/s), duration (s), points of time and steer angle (rad, left is positive),
# acceleration (m/s²) that begins at 0.2 s.
CASES = {
    "step_steer_10": (10.0, 3.0, [[0.2, 0.0], [0.35, 0.06]], 0.0),
    "step_steer_20": (20.0, 3.0, [[0.2, 0.0], [0.25, 0.02]], 0.0),
    "ramp_steer": (15.0, 1.6, [[0.0, 0.0], [1.6, 0.08]], 0.0),
    "ramp_and_throttle": (15.0, 1.6, [[0.0, 0.0], [1.6, 0.08]], 2.0),
    "braking": (20.0, 2.0, [], -5.0),
    "accelerating": (10.0, 2.0, [], 3.0),
}
TITLES = {
    "step_steer_10": "Step steer at 10 m/s",
    "step_steer_20": "Step steer at 20 m/s",
    "ramp_steer": "Ramp steer at 15 m/s",
    "ramp_and_throttle": "Ramp steer and throttle at 15 m/s",
    "braking": "Braking from 20 m/s",
    "accelerating": "Accelerating from 10 m/s",
}


def drive(p, state, duration, inputs):
    """States every 0.01 s."""
    return solve_ivp(
        lambda t, x: vehicle_dynamics_mb(x, inputs(t), p),
        (0.0, duration),
        state,
        method="LSODA",
        rtol=1e-7,
        atol=1e-9,
        max_step=0.005,
        t_eval=np.arange(0.0, duration + 1e-9, 0.01),
    ).y.T


def settled(p, speed):
    """The car at rest on its springs, straight on at this speed."""
    state = drive(p, init_mb([0, 0, 0, speed, 0, 0, 0], p), 1.3, lambda t: [0.0, 0.0])[-1]
    state[[X, Y, *LATERAL]] = 0.0
    state[SPEED] = speed
    return state


def inputs_of(points, acceleration):
    def steer_rate(t):
        for (t0, a0), (t1, a1) in zip(points, points[1:]):
            if t0 <= t < t1:
                return -(a1 - a0) / (t1 - t0)
        return 0.0

    return lambda t: [steer_rate(t), acceleration if 0.2 <= t else 0.0]


def expected(p):
    """Rows of each case."""
    cases = {}
    for name, (speed, duration, points, acceleration) in CASES.items():
        states = drive(p, settled(p, speed), duration, inputs_of(points, acceleration))
        rows = []
        for index in range(0, len(states), 10):
            it = states[index]
            row = [index / 100, it[X], -it[Y], np.hypot(it[SPEED], it[SIDEWAYS]), -it[YAW_RATE], it[ROLL]]
            rows.append([round(float(value), 5) + 0.0 for value in row])
        cases[name] = rows
    return cases


def vehicle(p, name):
    """The car as a file: four independent wheels with roll centers on the ground."""
    base, mass = p.a + p.b, p.m
    axles = [
        (p.a, p.T_f, p.K_sf, p.K_sdf, p.m_uf, p.D_f, mass * p.b / base),
        (-p.b, p.T_r, p.K_sr, p.K_sdr, p.m_ur, p.D_r, mass * p.a / base),
    ]
    unsprung = p.m_uf + p.m_ur
    lever = p.h_cg - p.R_w
    roll = p.I_Phi_s + p.I_uf + p.I_ur + p.m_s * (p.h_s - p.h_cg) ** 2 + unsprung * lever**2
    pitch = p.I_y_s + p.m_s * (p.h_s - p.h_cg) ** 2 + unsprung * lever**2
    pitch += p.m_uf * p.a**2 + p.m_ur * p.b**2
    suspensions, compliances, forces, wheels, bars = [], [], [], [], []
    for index, (ahead, track, stiffness, damping, axle_mass, camber, load) in enumerate(axles):
        sprung = 0.5 * (load - axle_mass)
        jounce = sprung * GRAVITY / stiffness
        sinking = 0.5 * load * GRAVITY / p.K_zt
        height = p.R_w - sinking - p.h_cg
        for side in (-1.0, 1.0):
            place = [side * 0.5 * track, height + TRAVEL - jounce, ahead]
            suspensions.append({
                "attachment": {"translation": place},
                "travel_direction": [0.0, -1.0, 0.0],
                "travel_distance": TRAVEL,
                "wheel_attachment": {},
            })
            contact = [[0.0, [0.0, -p.R_w - TRAVEL, 0.0]], [1.0, [0.0, -p.R_w, 0.0]]]
            angle = lambda j: -camber * side * (j - jounce)
            compliances.append({
                "camber": [[0.0, angle(0.0)], [1.0, angle(TRAVEL)]],
                "suspension_force_point": contact,
                "tire_force_point": contact,
            })
            forces.append({"stiffness": stiffness, "damping": damping, "sprung_mass": 0.5 * load})
            wheels.append({
                "mass": 0.5 * axle_mass,
                "tire_stiffness": p.K_zt,
                "end_stop": 20.0 * stiffness,
                "droop_stop": 20.0 * stiffness,
            })
        torsion = -[p.K_tsf, p.K_tsr][index]
        bars.append({"wheels": [2 * index, 2 * index + 1], "stiffness": torsion / track**2})
    torque = mass * p.R_w * FULL / 2.0
    wheel = {"radius": p.R_w, "half_width": 0.11, "mass": 15.0, "inertia": p.I_y_w, "damping_rate": 0.0}
    front, rear = p.T_sb, 1.0 - p.T_sb
    loads = [(p.m_s * p.b / base + p.m_uf) / axles[0][6], (p.m_s * p.a / base + p.m_ur) / axles[1][6]]
    tire = lambda share: {"own": {"name": "commonroad", "params": {"load_share": share}}}
    return {
        "$schema": "../../docs/vehicle.schema.json",
        "version": 1,
        "name": f"{name} of CommonRoad",
        "source": SOURCE + ", by commonroad.py: independent wheels with roll centers on the ground in the place of its"
        " axles. The whole mass is where its sprung mass is, as there; its loads of the axles, which follow from sprung and"
        " unsprung masses, are those by which its tires work.",
        "mechanics": {
            "parameters": {
                "axles": [[0, 1], [2, 3]],
                "rigid_body": {"mass": mass, "inertia": [pitch, p.I_z, roll]},
                "brakes": [
                    {"max_response": torque, "wheel_multipliers": [front, front, rear, rear]},
                    {"max_response": 0.0, "wheel_multipliers": [0.0, 0.0, 1.0, 1.0]},
                ],
                "steering": {"max_response": p.steering.max, "wheel_multipliers": [1.0, 1.0, 0.0, 0.0]},
                "wheels": [wheel] * 4,
                "suspensions": suspensions,
                "compliances": compliances,
                "suspension_forces": forces,
                "anti_roll_bars": bars,
                "suspension_dynamics": {"unsprung": wheels},
                "tires": [tire(loads[0])] * 2 + [tire(loads[1])] * 2,
            }
        },
        "drive": {"direct": {"throttle": {
            "max_response": torque,
            "wheel_multipliers": [p.T_se, p.T_se, 1.0 - p.T_se, 1.0 - p.T_se],
        }}},
    }


def manoeuvre(name):
    speed, duration, points, acceleration = CASES[name]
    phase = {"name": "drive", "until": {"time": duration}}
    if points:
        phase["steer"] = {"angle_of": {"wheel": "mean", "angle": {"points": points}}}
    if acceleration != 0.0:
        pedal = "throttle" if 0.0 < acceleration else "brake"
        phase["pedals"] = {"open": {pedal: {"step": {"to": abs(acceleration) / FULL, "at": 0.2}}}}
    return {
        "$schema": "../../docs/manoeuvre.schema.json",
        "version": 1,
        "title": TITLES[name] + ", as CommonRoad drives it",
        "source": SOURCE,
        "ground": {"friction": 1.0},
        "start": {"speed": speed, "gear": "drive" if 0.0 < acceleration else "neutral"},
        "phases": [phase],
        "channels": ["ahead", "aside", "speed", "yaw rate", "roll"],
        "output": {"interval": 0.1},
        "figures": [{"name": "yaw rate at the end", "unit": "°/s", "value": {"at": {"channel": "yaw rate", "when": {"time": duration}}}}],
    }


def rounded(value):
    """Numbers with seven digits, as single precision has them."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.7g}") if isinstance(value, float) else value


def text(value, depth=0):
    """JSON, each object and list on one line if that is short."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + 2 * depth <= 100 or not isinstance(value, (dict, list)):
        return line
    indent, end = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {text(item, depth + 1)}" for key, item in value.items()]
        opening, closing = "{", "}"
    else:
        items = [text(item, depth + 1) for item in value]
        opening, closing = "[", "]"
    return opening + "\n" + ",\n".join(indent + item for item in items) + "\n" + end + closing


def write(name, value):
    (FOLDER / f"{name}.json").write_text(text(rounded(value)) + "\n", encoding="utf-8")


def main():
    columns = ["time (s)", "ahead (m)", "aside (m)", "speed (m/s)", "yaw rate (rad/s)", "roll (rad)"]
    cars = {}
    for name, (title, parameters) in CARS.items():
        p = parameters()
        write(name, vehicle(p, title))
        cars[name] = expected(p)
    for name in CASES:
        write(f"commonroad_{name}", manoeuvre(name))
    write("commonroad", {"source": SOURCE, "columns": columns, "cars": cars})


main()
