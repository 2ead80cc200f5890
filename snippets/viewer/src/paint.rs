//! Colors and textures.

use std::sync::Arc;

use image::{DynamicImage, Rgb, RgbImage};
use kiss3d::color::Color;
use kiss3d::resource::{Texture, TextureManager};
use playground::worlds::Surface;

/// Sky and haze.
pub(crate) const SKY: Color = Color::new(0.56, 0.71, 0.86, 1.0);
/// Side of the texture of the ground (pixels), and of its tiles (m).
const TEXTURE_SIZE: u32 = 256;
pub(crate) const TILE: f32 = 10.0;

/// Color, roughness and metalness of a surface.
pub(crate) fn surface(surface: Surface) -> (Color, f32, f32) {
    let (color, roughness, metalness) = match surface {
        Surface::Asphalt => (0x6b6c6d, 0.95, 0.0),
        Surface::Concrete => (0x9b9a94, 0.9, 0.0),
        Surface::Wet => (0x34404c, 0.3, 0.0),
        Surface::Ice => (0xcfe8f5, 0.3, 0.0),
        Surface::Sand => (0xb49a6b, 1.0, 0.0),
        Surface::Grass => (0x5f7a42, 1.0, 0.0),
        Surface::Kerb => (0xb9b4aa, 0.8, 0.0),
        Surface::Steel => (0x7d8fa1, 0.5, 0.3),
        Surface::Wood => (0xa87848, 0.85, 0.0),
        Surface::Cone => (0xff6a1f, 0.6, 0.0),
        Surface::White => (0xe8e6e0, 0.8, 0.0),
        Surface::Red => (0xb3201c, 0.8, 0.0),
    };
    (rgb(color), roughness, metalness)
}

/// A color of three bytes of the sRGB, red first, as lights mix it.
pub(crate) fn rgb(code: u32) -> Color {
    let part = |shift: u32| (((code >> shift) & 0xff) as f32 / 255.0).powf(2.2);
    Color::new(part(16), part(8), part(0), 1.0)
}

/// The color of a tire that uses this share of its friction: from green over yellow to red.
pub(crate) fn friction(used: f32) -> Color {
    let used = used.clamp(0.0, 1.0);
    Color::new((2.0 * used).min(1.0), (2.0 - 2.0 * used).min(0.85), 0.15, 1.0)
}

/// Colors in a row, as a texture of this name.
pub(crate) fn palette(name: &str, colors: &[u32]) -> Arc<Texture> {
    let image = RgbImage::from_fn(colors.len() as u32, 1, |number, _| {
        let [_, red, green, blue] = colors[number as usize].to_be_bytes();
        Rgb([red, green, blue])
    });
    TextureManager::get_global_manager(|textures| {
        textures.set_generate_mipmaps(false);
        textures.add_image_pixelated(DynamicImage::ImageRgb8(image.clone()), name)
    })
}

/// Grains, with a faint joint along the edges, so that speed is seen.
pub(crate) fn ground_texture() -> Arc<Texture> {
    let mut state = 7_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as f32 / 255.0
    };
    let image = RgbImage::from_fn(TEXTURE_SIZE, TEXTURE_SIZE, |across, along| {
        let joint = if across < 4 || along < 4 { 0.7 } else { 1.0 };
        let value = (255.0 * joint * (0.9 + 0.1 * noise())) as u8;
        Rgb([value; 3])
    });
    TextureManager::get_global_manager(|textures| {
        textures.set_generate_mipmaps(true);
        textures.add_image_with_color_space(DynamicImage::ImageRgb8(image.clone()), "ground", true)
    })
}
