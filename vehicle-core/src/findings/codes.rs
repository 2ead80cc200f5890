//! The findings that there are: what each means, and what helps.

use serde::{Deserialize, Serialize};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Severity {
    /// The vehicle may be as it is meant to be.
    Note,
    /// The vehicle does not do what a vehicle of its kind does.
    Warning,
}

/// One table for the codes, their documentation and what they say, so that they cannot differ.
macro_rules! findings {
    ($($code:ident, $severity:ident, $consequence:literal, $remedy:literal;)*) => {
        /// Kinds of findings: odd things about a vehicle that are no faults.
        ///
        /// | code | severity | consequence | remedy |
        /// |---|---|---|---|
        $(#[doc = concat!(
            "| [`", stringify!($code), "`](Self::", stringify!($code), ") | ",
            stringify!($severity), " | ", $consequence, " | ", $remedy, " |"
        )])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum FindingCode {
            $(
                #[doc = concat!("Consequence: ", $consequence, ". Remedy: ", $remedy, ".")]
                $code,
            )*
        }

        impl FindingCode {
            /// All codes, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            /// How much it matters.
            pub fn severity(self) -> Severity {
                match self {
                    $(Self::$code => Severity::$severity,)*
                }
            }

            /// Consequence for the vehicle.
            pub fn consequence(self) -> &'static str {
                match self {
                    $(Self::$code => $consequence,)*
                }
            }

            /// Advice that helps in most cases.
            pub fn remedy(self) -> &'static str {
                match self {
                    $(Self::$code => $remedy,)*
                }
            }
        }
    };
}

findings! {
    LengthUnit, Warning,
        "lengths and forces are in different units: the vehicle shakes, floats or does not move",
        "convert its parameters (`Convert`), or set `coordinates.length_scale` and gravity to the unit of the world";
    GravityNone, Note,
        "nothing presses the wheels onto the road: the vehicle floats, and they do not grip",
        "give the world a gravity, such as `Vector::Y * -9.81`";
    TimeStepDivided, Note,
        "the frame is longer than the longest substep and takes more of them than the sequence says",
        "step the world more often, or set `max_substep`";
    RideUnstable, Warning,
        "the suspension shakes the vehicle ever more, up to throwing it over, or its tires from no load to twice the weight and back, because springs and dampers are too strong for the step",
        "take more substeps or a shorter time step, or lower the stiffness and the damping of springs and anti-roll bars";
    RideShakes, Warning,
        "after a second the vehicle still shakes, where its springs and dampers would have brought it to rest",
        "take more substeps or a shorter time step, or lower the stiffness and the damping of springs and anti-roll bars";
    TravelShort, Warning,
        "the suspension can hardly move: the vehicle rides on its stops and jitters",
        "lengthen the travel distance";
    SuspensionBottoms, Warning,
        "the weight alone compresses the suspension to its stop",
        "stiffen the spring, lengthen the travel distance or check the sprung mass";
    SuspensionHangs, Note,
        "the weight hardly compresses the suspension: the wheel leaves the road in every dip",
        "soften the spring";
    SuspensionUndamped, Warning,
        "the body goes on bouncing after every bump",
        "raise the damping to some 0.3 of critical";
    SuspensionOverdamped, Warning,
        "the suspension hardly moves and passes every bump to the body",
        "lower the damping to some 0.3 to 1 of critical";
    HopUndamped, Warning,
        "the wheel goes on hopping between spring and tire after every bump, and loses its grip",
        "raise the damping of the suspension, or that of the tire";
    HopStepped, Note,
        "with steps this long, the wheel hops faster, slower or longer than its spring, damper and tire say",
        "take more substeps or a shorter time step";
    BumpStopNear, Warning,
        "the suspension rides on its bump stop: every bump is a blow",
        "let the stop begin later, or stiffen the spring";
    SuspensionLeans, Note,
        "the suspension travels more forward or sideways than down and carries little",
        "check the axes of the travel direction";
    SprungMassSum, Warning,
        "the loads of the wheels do not add up to the weight: tires grip too much or too little on slopes",
        "compute the sprung masses from the wheels' positions (`sprung_masses`)";
    SprungMassBalance, Warning,
        "the sprung masses do not balance about the center of mass: the vehicle stands askew",
        "compute the sprung masses from the wheels' positions (`sprung_masses`)";
    NumberUnused, Note,
        "the number does nothing, because another one counts in its place",
        "change the one that counts, and give this one the same value";
    NumberOdd, Warning,
        "no vehicle has such a number: its unit is another than the one that was meant, or a digit is wrong",
        "give it in the unit of its documentation";
    AntiRollBarNegative, Warning,
        "the anti-roll bar leans the body further instead of holding it",
        "take a positive stiffness";
    InertiaHigh, Warning,
        "the body resists turning about this axis: it steers, pitches or rolls sluggishly",
        "start from the inertia of a box of its size (`MassDistribution::block`)";
    InertiaLow, Warning,
        "the body turns about this axis far too easily: it twitches",
        "start from the inertia of a box of its size (`MassDistribution::block`), and check its length, width and height beside the places of its wheels";
    InertiaNoBody, Warning,
        "no real body has this moment of inertia together with the other two: the body turns in impossible ways",
        "start from the inertia of a box of its size (`MassDistribution::block`)";
    WheelInertiaHigh, Warning,
        "the wheel spins up and slows down sluggishly, and builds up little slip",
        "take half of its mass times its radius squared to that times one";
    WheelInertiaLow, Warning,
        "the wheel spins under the least torque",
        "take half of its mass times its radius squared to that times one";
    WheelDampingHigh, Warning,
        "the friction of the wheels holds the vehicle back: it accelerates sluggishly",
        "lower the damping rates of the wheels";
    CoastingFree, Note,
        "nothing slows the vehicle down when nobody accelerates",
        "give its tires a rolling resistance, wheels and engine damping rates, and the vehicle a drag area";
    DragStrong, Warning,
        "the air stops the vehicle within a step, or turns it around",
        "check the unit of drag area and air density";
    BrakesRear, Warning,
        "the rear wheels lock before the front ones: under braking the vehicle turns around",
        "brake more in front or less behind (`CarBlueprint::with_brakes`), or give the rear a valve";
    BrakesWeak, Warning,
        "the vehicle hardly slows down at a full foot brake, or not at all",
        "raise the brake torques to some radius times weight, shared by the wheels; they are in N·m";
    TipsOver, Warning,
        "the vehicle tips over in a bend long before its tires slide",
        "lower the center of mass, or widen the track";
    SteeringNone, Note,
        "the steering wheel turns no wheel",
        "give the steered wheels a multiplier and a largest angle";
    SteeringReversed, Warning,
        "the vehicle turns right when its driver steers to the left",
        "give front wheels a positive largest angle; only wheels behind them have a negative one";
    SteerAngleLarge, Note,
        "the wheels turn nearly across the vehicle and push instead of steer",
        "lower the largest angle to some 0.6 rad";
    AckermannReversed, Warning,
        "the outer wheel of the axle turns further than the inner one: tires scrub in tight turns",
        "name the right wheel first, then the left one; the other way round of an axle that is steered against the front";
    AckermannOdd, Note,
        "the Ackermann correction is that of another vehicle: in tight turns wheels roll about different points",
        "take the distance of the two wheels from each other, and that of their axle from the one about which the vehicle turns";
    WheelNotSteered, Note,
        "the wheel does not turn with the steering wheel: what is said about its steering does nothing",
        "name a wheel that is steered, or give it a multiplier in `steering.wheel_multipliers`";
    TireForceNone, Warning,
        "the tire has no force where it slips, or one that pushes the wrong way: it does not drive, brake or steer",
        "return a longitudinal force with the sign of the slip and a lateral one against the slip angle (`TireOutput`)";
    TireNotFinite, Warning,
        "the tire answers what is no finite number: where it does, each step is an error",
        "look for a division by a slip, speed or load of 0 in its formula";
    TireForceWithoutSlip, Warning,
        "the tire pushes though it does not slip: the vehicle creeps, and pulls to one side",
        "let its forces be 0 at a slip of 0";
    TireSlopeOther, Warning,
        "wheel and tire are solved together by another slope than the force has: the wheel swings about the speed of the road, differently at each step rate",
        "return the slope of the longitudinal force against the longitudinal slip (`TireOutput::longitudinal_stiffness`)";
    TireForceDrops, Warning,
        "the force of the tire drops at once at some slip: the wheel jumps between grip and sliding",
        "let its force fall gradually";
    TireLoadIgnored, Warning,
        "the force of the tire does not grow with its load: it slides under a heavy vehicle, and a light one cannot",
        "compute its force from `input.grip.load`, in proportion or nearly so";
    TireMomentLarge, Warning,
        "the tire turns the vehicle about the vertical like a motor",
        "return the lateral force times the trail, some hundredths of a meter; the moment is in N·m";
    TireResistanceOdd, Warning,
        "rolling pushes the vehicle on, or stops it as deep mud does",
        "return a force against the rolling direction of some hundredth of the load, and a standing resistance that is not negative";
    TireStiffnessHigh, Warning,
        "the tire slides at the least slip: its slip angle is in degrees, or its stiffness in another unit",
        "take slip angles in radians, and a stiffness of some 15 times the load";
    TireStiffnessLongitudinalLow, Warning,
        "wheels spin and lock without moving the vehicle",
        "raise the longitudinal stiffness to some 15 times the load";
    TireStiffnessLateralLow, Warning,
        "the vehicle hardly answers to the steering wheel",
        "raise the lateral stiffness to some 15 times the load";
    TireRestLoad, Warning,
        "the tire is made for another load than its suspension carries: its grip and stiffness are wrong",
        "set the load at rest to sprung mass times gravity";
    TireGripLow, Warning,
        "the tires slide as on ice, whatever the road",
        "raise the multipliers of `friction_vs_slip` to some 1";
    TireGripHigh, Warning,
        "the tires grip so much that wheels do not turn freely and the vehicle tips over",
        "lower the multipliers of `friction_vs_slip` to some 1";
    TireGripRises, Note,
        "spinning wheels grip better than rolling ones: the vehicle climbs what is too steep",
        "let the last multiplier of `friction_vs_slip` be the smallest";
    TireLoadFilterSteep, Note,
        "grip follows every movement of the suspension: on bumps the vehicle understeers, then oversteers",
        "flatten the load filter";
    TireRangeMirrored, Note,
        "the tire was measured on one side of zero only, as most are that were measured under braking; on the other it is its mirror image",
        "set `out_of_range` to `Extrapolate` if the formulas are to go on instead";
    TireRangeOneSided, Warning,
        "the tire has no force beyond what was measured: one that was measured under braking only does not drive",
        "set `out_of_range` to `Mirror` or `Extrapolate`, or the range to both sides";
    RoadSlippery, Note,
        "the road under the wheels is as slippery as a wet one, because nobody has said otherwise: wheels spin, lock and slide early",
        "give the collider of a dry road a friction of 1, or enter its material in a `FrictionTable` with 1";
    RoadMissing, Warning,
        "there is no ground below any wheel: the vehicle falls",
        "put a collider under the wheels, and let the world see it: by `detect_collisions` before the vehicle is inserted, or by a step";
    RoadHidden, Warning,
        "the wheels do not see the ground below them: the vehicle falls onto its hull, or through",
        "let groups and filter of the vehicle's road allow the ground's collider, which is no sensor";
    HullOnRoad, Warning,
        "the vehicle rests on its hull: wheels carry too little, spin and do not steer",
        "lift or shrink the colliders of the chassis, or put the vehicle in higher";
    HitchApart, Warning,
        "the world pulls the joint of two bodies shut over any distance: a train is thrown about",
        "put all vehicles of a train elsewhere together, the trailer where `inserted_trailer_pose` says";
    HullMissing, Note,
        "nothing collides with the vehicle but the road below its wheels: it drives through walls, and falls through the ground from its wheels",
        "give the chassis a collider";
    NotUpright, Warning,
        "the wheels do not point to the ground: the vehicle lies on its side or its roof, or its axes are not those of the world",
        "put it upright (`upright_pose`), or give its axes the vertical of the world: one `Frame` for the data sheet and for `params`";
    UpdateMissing, Warning,
        "the world moves the body on without its vehicle: it floats, and the driver has less effect or none",
        "update the vehicle once before each step of its world: `update` each of several vehicles, then step the world once";
    UpdateRepeated, Warning,
        "the vehicle is updated again before the world has made a step: its forces act more than once",
        "step the world once after each update";
    BodyInactive, Warning,
        "the body sleeps or is disabled: what the driver does has no effect",
        "update the vehicle, which wakes its body; enable a body that is disabled";
    BodyMissing, Warning,
        "the vehicle's body is not in this world: each step is an error",
        "insert the vehicle into this world, and drop it with its body: `remove`";
    BodyMotionInvalid, Warning,
        "the place or the velocity of the body cannot be simulated: each step is an error",
        "give it a finite pose of unit length, and a velocity (`teleport`, `set_velocity`)";
    WheelCollidersLeft, Warning,
        "the body has colliders of wheels that the vehicle does not know: they do not steer, and stay when a wheel is lost",
        "load a saved game by `resume`; give an adopted body colliders of the hull alone";
    WorldLengthUnit, Warning,
        "Rapier takes lengths for those of another unit: contacts tremble or sink in, bodies fall asleep while they move, or never do",
        "set `integration_parameters.length_unit` of the world to the vehicle's `coordinates.length_scale`";
    WheelChatter, Warning,
        "explicitly coupled wheels swing about the speed of the road as the vehicle slows down",
        "couple wheels implicitly, take more substeps, or raise the slip denominators";
    DriveTorqueNone, Note,
        "no throttle moves the vehicle",
        "give the driven wheels a multiplier and a largest torque; a trailer needs none";
    DriveReversed, Warning,
        "the throttle drives the vehicle backward",
        "give the driven wheels positive multipliers; to go backward, there is a reverse gear";
    DriveWeak, Warning,
        "the vehicle accelerates sluggishly or not at all",
        "raise the peak torque or the gear ratios, or check the mass";
    DriveStrong, Note,
        "the wheels spin under acceleration",
        "lower the torque, or press the pedal gradually";
    ForwardGearNone, Warning,
        "no gear drives the vehicle forward",
        "give the gearbox a positive ratio after that of neutral";
    NeutralGear, Note,
        "the driver accelerates in neutral: the engine revs, the wheels do not turn",
        "choose a gear, or let the automatic gearbox choose";
    BrakeAgainstThrottle, Note,
        "the driver brakes and accelerates at once",
        "release the brakes";
    HandBrakeHeld, Warning,
        "front and rear wheels stay coupled while the hand brake is pulled: it turns the vehicle less",
        "make the coupling open or one that a lever frees, or leave out `hand_brake.frees_center`";
    AidIdle, Warning,
        "a driver aid can do nothing on this vehicle",
        "leave it out, or give it what it acts by: an engine with a clutch, two wheels on an axle, motors";
    TracksNone, Note,
        "the driver steers tracks that the vehicle does not have: nothing happens",
        "steer it by `commands.steer`, or give it a tank's differential with tracks";
    EngineRevsSlowly, Warning,
        "the engine takes seconds to reach its speed, even in neutral",
        "lower its inertia or raise its peak torque";
    EngineCurveLow, Warning,
        "the engine never comes near its peak torque",
        "let the torque curve reach 1";
    EngineSpeedOdd, Warning,
        "the engine's largest speed is that of no engine: gears fit no speed of the vehicle",
        "give it in rad/s: 600 is 5700 revolutions per minute";
    EngineDamped, Warning,
        "friction keeps the engine from its largest speed, even in neutral",
        "lower the damping at full throttle";
    EngineCoastsFree, Note,
        "the engine does not brake the vehicle, and revs on in neutral",
        "raise the damping rates without throttle";
    EngineStalls, Warning,
        "the engine dies as soon as nobody accelerates, or idles slower than it is told to",
        "give it an idle control, raise the largest throttle of that, or lower the friction of the engine";
    StarterWeak, Warning,
        "an engine that has died never runs again: its starter does not turn it fast enough",
        "raise the torque of the starter above the friction of the engine, or lower the speed at which it runs";
    ClutchWeak, Warning,
        "the clutch slips all the time: the engine revs, the vehicle crawls",
        "raise its strength to the peak torque divided by some 10 rad/s, or its capacity above the peak torque";
    AutoboxNeverShiftsUp, Warning,
        "the automatic gearbox stays in this gear: the engine does not reach the speed at which it shifts up",
        "lower the ratio or the speed for shifting up";
    AutoboxHunts, Note,
        "after a shift up the engine is so slow that the gearbox shifts down again, unless the vehicle has gained speed before the latency is over",
        "lower the ratio for shifting down, or raise the one for shifting up";
    AutoboxLatencyShort, Warning,
        "the automatic gearbox decides again while the engine has not recovered from the shift: it may never leave the first gear",
        "let the latency be at least twice the switch time";
    AutoboxLatencyLong, Warning,
        "the automatic gearbox waits so long after each decision that it stays in its gear",
        "lower the latency to some 1 s";
    ShiftRefused, Note,
        "the gearbox refuses shifts down that the engine would bear",
        "raise the largest speed of its input to that of the engine";
    TargetSpeedNone, Note,
        "the variable gearbox goes to its longest ratio as soon as it turns, unless your program writes its target speed in each step",
        "link a sensor or a control of the driver to its input `target speed`, see `Chain::with_link`";
    GearStepLarge, Warning,
        "after a shift up the engine is slower than idle, however fast it was: it bucks, or dies",
        "take gears in between";
    TopSpeedLow, Warning,
        "an engine or motor is at its largest speed while the vehicle still crawls",
        "check the ratios: each is the speed of an input per speed of its output";
    TopSpeedHigh, Note,
        "the gears are longer than any vehicle needs: it drives off with a slipping clutch, or not at all",
        "check the ratios: each is the speed of an input per speed of its output";
    WheelNotInDriveline, Note,
        "the wheel rolls freely under its brake, and no sensor of the driveline tells of it",
        "put it beside the rest of the tree: `.beside(wheel(number))`";
    BatteryWeak, Note,
        "the motor never gets the power that it could use",
        "raise the largest power of the battery, or lower that of the motor";
    DifferentialOpen, Note,
        "the inner wheels spin when the vehicle accelerates through a bend",
        "limit the slip of the differential";
    DifferentialUneven, Warning,
        "while wheels turn at different speeds, the differential makes power from nothing, or loses it",
        "give each wheel a speed ratio of the size of its torque ratio";
}
