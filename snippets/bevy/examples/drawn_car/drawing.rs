//! What the examples of both plugins draw alike: ground, blocks, light, meshes of a car, a camera
//! that follows it. And how they take a picture of it.

use std::path::PathBuf;
use std::time::Duration;

use bevy::asset::RenderAssetUsages;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::ecs::system::SystemParam;
use bevy::input::InputSystems;
use bevy::light::CascadeShadowConfigBuilder;
use bevy::mesh::PrimitiveTopology;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::time::TimeUpdateStrategy;
use playground::{Face, Look};
use vehicle_rapier::drivetrain::aids::{
    Aid, AidsParams, AntiLockParams, StabilityParams, TractionParams,
};
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

/// Colors of the sky, and of the tiles of the ground, as three bytes of the sRGB, red first.
const SKY: u32 = 0x8f_b5_db;
const TILES: [u32; 2] = [0x6b_6c_6d, 0x62_63_65];
/// Size of a tile, and of the ground from its middle to its edge (m).
const TILE: f32 = 10.0;
const GROUND: i16 = 60;
/// How far behind the car the camera is, how far above it, and how far above it looks (m).
const BEHIND: f32 = 6.2;
const ABOVE: f32 = 2.1;
const LOOK_ABOVE: f32 = 0.7;
/// Time in which it follows the heading of the car (s).
const FOLLOW_TIME: f32 = 0.25;
/// Frames until a picture is taken, and the time between two of them.
const FRAMES: u32 = 26;
const FRAME: Duration = Duration::from_millis(200);
/// Frame at which the steering wheel is turned for the picture.
const TURN: u32 = 23;

/// A block on the road.
pub(crate) struct Block {
    /// Half of its width, height and length (m).
    pub(crate) half: [f32; 3],
    /// Its middle (m).
    pub(crate) place: [f32; 3],
    /// The angle by which it rises along the road (rad).
    pub(crate) rise: f32,
    /// Its color, as three bytes of the sRGB, red first.
    pub(crate) color: u32,
}

/// A block of half a meter beside the road, so far along it (m).
const fn mark(aside: f32, along: f32, color: u32) -> Block {
    Block { half: [0.25; 3], place: [aside, 0.25, along], rise: 0.0, color }
}

/// Obstacles on the road: a ramp, and gates.
pub(crate) const BLOCKS: [Block; 9] = [
    Block { half: [2.5, 0.2, 5.0], place: [-9.0, 0.6, 60.0], rise: 0.15, color: 0xa8_78_48 },
    mark(4.0, 30.0, 0xb3_20_1c),
    mark(-4.0, 30.0, 0xe8_e6_e0),
    mark(4.0, 45.0, 0xb3_20_1c),
    mark(-4.0, 45.0, 0xe8_e6_e0),
    mark(4.0, 60.0, 0xb3_20_1c),
    mark(-4.0, 60.0, 0xe8_e6_e0),
    mark(4.0, 75.0, 0xb3_20_1c),
    mark(-4.0, 75.0, 0xe8_e6_e0),
];

/// The car that the camera follows.
#[derive(Component)]
pub(crate) struct Followed;

/// Options of the command line.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Options {
    /// The preset that is driven.
    pub(crate) vehicle: String,
    /// The file of a picture that is taken.
    pub(crate) picture: Option<PathBuf>,
}

impl Options {
    /// Reads the command line; ends the program where it says what there is not.
    pub(crate) fn of_command_line() -> Self {
        let mut options = Self { vehicle: "hot_hatch".to_owned(), picture: None };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match (word.as_str(), words.next()) {
                ("--vehicle", Some(name)) => options.vehicle = name,
                ("--picture", Some(file)) => options.picture = Some(file.into()),
                (_, value) => {
                    let value = value.map(|value| format!(" {value}")).unwrap_or_default();
                    eprintln!(
                        "options are `--vehicle PRESET` and `--picture FILE`, got `{word}{value}`"
                    );
                    std::process::exit(2);
                }
            }
        }
        options
    }
}

/// Tells why the program cannot go on.
pub(crate) fn fail(error: impl std::fmt::Display) -> AppExit {
    eprintln!("{error}");
    AppExit::error()
}

/// A window with ground, blocks, light and a camera.
pub(crate) struct Drawing(pub(crate) Options);

impl Plugin for Drawing {
    fn build(&self, app: &mut App) {
        let title = "Drive".to_owned();
        // A picture is small: it may be drawn by the processor.
        let size = if self.0.picture.is_some() { [640, 400] } else { [960, 600] };
        let window = Window { title, resolution: size.into(), ..default() };
        let render = RenderPlugin {
            // A picture waits for all that is to be drawn.
            synchronous_pipeline_compilation: self.0.picture.is_some(),
            ..default()
        };
        let windows = WindowPlugin { primary_window: Some(window), ..default() };
        app.add_plugins(DefaultPlugins.set(windows).set(render))
            .insert_resource(ClearColor(rgb(SKY).into()))
            .insert_resource(GlobalAmbientLight { brightness: 900.0, ..default() })
            .insert_resource(self.0.clone())
            .add_systems(Startup, set_up)
            .add_systems(PostUpdate, follow.before(TransformSystems::Propagate));
        if self.0.picture.is_some() {
            app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME))
                .add_systems(PreUpdate, drive_by_itself.after(InputSystems))
                .add_systems(Update, take_picture);
        }
    }
}

fn set_up(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let paint = material(&mut materials, 0.9);
    commands.spawn((Mesh3d(meshes.add(ground())), MeshMaterial3d(paint)));
    for Block { half, place, rise, color } in BLOCKS {
        let mesh = meshes.add(Cuboid::from_size(Vec3::from_array(half) * 2.0));
        let paint = materials.add(Color::from(rgb(color)));
        let pose =
            Transform::from_translation(place.into()).with_rotation(Quat::from_rotation_x(-rise));
        commands.spawn((Mesh3d(mesh), MeshMaterial3d(paint), pose));
    }
    let sun = DirectionalLight { illuminance: 11_000.0, shadow_maps_enabled: true, ..default() };
    let rays = Transform::default().looking_to(Vec3::new(-0.45, -0.62, 0.35), Vec3::Y);
    let shadows = CascadeShadowConfigBuilder {
        num_cascades: 2,
        first_cascade_far_bound: 12.0,
        maximum_distance: 80.0,
        ..default()
    };
    commands.spawn((sun, rays, shadows.build()));
    let haze = DistanceFog {
        color: rgb(SKY).into(),
        falloff: FogFalloff::Linear { start: 60.0, end: 420.0 },
        ..default()
    };
    commands.spawn((Camera3d::default(), Tonemapping::AcesFitted, haze));
}

fn material(materials: &mut Assets<StandardMaterial>, roughness: f32) -> Handle<StandardMaterial> {
    materials.add(StandardMaterial { perceptual_roughness: roughness, ..default() })
}

/// A color of three bytes of the sRGB, red first, as lights mix it.
fn rgb(code: u32) -> LinearRgba {
    let [_, red, green, blue] = code.to_be_bytes();
    Srgba::rgb_u8(red, green, blue).into()
}

/// Corners of triangles, each with its normal and its color.
#[derive(Default)]
struct Corners {
    places: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    colors: Vec<[f32; 4]>,
}

impl Corners {
    fn add(&mut self, place: [f32; 3], normal: [f32; 3], color: u32) {
        self.places.push(place);
        self.normals.push(normal);
        self.colors.push(rgb(color).to_f32_array());
    }

    fn mesh(self) -> Mesh {
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.places)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colors)
    }
}

/// Tiles of two shades, so that speed is seen.
fn ground() -> Mesh {
    let mut corners = Corners::default();
    for along in -GROUND..GROUND {
        for aside in -GROUND..GROUND {
            let color = TILES[usize::from((along + aside) % 2 != 0)];
            for [x, z] in [[0, 0], [0, 1], [1, 1], [0, 0], [1, 1], [1, 0]] {
                let place = [f32::from(aside + x) * TILE, 0.0, f32::from(along + z) * TILE];
                corners.add(place, [0.0, 1.0, 0.0], color);
            }
        }
    }
    corners.mesh()
}

/// Gives cars their meshes.
#[derive(SystemParam)]
pub(crate) struct Dresser<'w, 's> {
    commands: Commands<'w, 's>,
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<StandardMaterial>>,
}

impl Dresser<'_, '_> {
    /// Adds the mesh of its body to the entity of a car that looks so, and those of its wheels to
    /// their entities with these numbers.
    pub(crate) fn dress(
        &mut self,
        entity: Entity,
        look: &Look,
        wheels: impl Iterator<Item = (Entity, usize)>,
    ) {
        let palette = look.palette();
        let paint = material(&mut self.materials, 0.45);
        let mut give = |entity: Entity, mesh: &playground::Mesh| {
            let mut all = Corners::default();
            for Face { corners, normal, color } in mesh.faces() {
                for corner in corners {
                    all.add(corner.to_array(), normal.to_array(), palette[color]);
                }
            }
            let mesh = Mesh3d(self.meshes.add(all.mesh()));
            let drawn = (mesh, MeshMaterial3d(paint.clone()), Visibility::default());
            self.commands.entity(entity).insert(drawn);
        };
        give(entity, &look.body_mesh());
        for (wheel, index) in wheels {
            give(wheel, &look.wheels[index].mesh());
        }
    }
}

/// Driver aids: anti-lock brakes, traction and stability control.
pub(crate) fn aids() -> AidsParams {
    AidsParams {
        anti_lock: Some(AntiLockParams::default()),
        traction: Some(TractionParams::default()),
        stability: Some(StabilityParams::default()),
        ..AidsParams::default()
    }
}

/// The speed of a car, and which of its aids act.
pub(crate) fn title(car: &AnyRapierVehicle) -> String {
    let report = car.vehicle.aided().report();
    let lamps = [(Aid::AntiLock, "ABS"), (Aid::Traction, "TC"), (Aid::Stability, "ESC")];
    let lit = lamps.iter().filter(|(aid, _)| report.is_active(*aid)).map(|(_, lamp)| *lamp);
    format!("{:.0} km/h {}", car.speed_kmh(), lit.collect::<Vec<_>>().join(" "))
}

/// Moves the camera behind the car.
fn follow(
    time: Res<Time>,
    mut heading: Local<Vec3>,
    car: Single<&Transform, With<Followed>>,
    mut camera: Single<&mut Transform, (With<Camera3d>, Without<Followed>)>,
) {
    let ahead = (car.rotation * Vec3::Z).with_y(0.0).normalize_or(Vec3::Z);
    let share = 1.0 - (-time.delta_secs() / FOLLOW_TIME).exp();
    *heading = heading.lerp(ahead, share).normalize_or(ahead);
    camera.translation = car.translation - *heading * BEHIND + Vec3::Y * ABOVE;
    camera.look_at(car.translation + Vec3::Y * LOOK_ABOVE, Vec3::Y);
}

/// Holds keys for the picture: full throttle, and a bend to the left in the end.
fn drive_by_itself(mut keys: ResMut<ButtonInput<KeyCode>>, mut frame: Local<u32>) {
    *frame += 1;
    keys.press(KeyCode::KeyW);
    if TURN < *frame {
        keys.press(KeyCode::KeyA);
    }
}

/// Takes the picture, and ends the program when it is saved.
fn take_picture(options: Res<Options>, mut frame: Local<u32>, mut commands: Commands) {
    *frame += 1;
    let Some(path) = options.picture.clone().filter(|_| *frame == FRAMES) else { return };
    let save = move |taken: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
        let image = taken.image.clone().try_into_dynamic().map_err(|error| error.to_string());
        let saved = image.and_then(|image| {
            image.to_rgb8().save(&path).map_err(|error| format!("`{}`: {error}", path.display()))
        });
        exit.write(match saved {
            Ok(()) => AppExit::Success,
            Err(error) => fail(format_args!("cannot save the picture: {error}")),
        });
    };
    commands.spawn(Screenshot::primary_window()).observe(save);
}
