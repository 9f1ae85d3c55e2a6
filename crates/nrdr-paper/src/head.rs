//! A head of one's own: a shaded shape with nose and ears that turns, nods and is lit from the side.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The paper's box, in degrees; in its degrees light at 180 is from the front.
pub(super) const PAN: f64 = 75.0;
pub(super) const LIGHT: (f64, f64) = (105.0, 175.0);
/// Those of Tenenbaum et al. nod less.
const TILT: f64 = 16.0;

/// Pixels of a side.
pub(super) const SIDE: u32 = 64;

/// How a head is seen, in degrees.
#[derive(Clone, Copy)]
pub(super) struct Pose {
    /// To the left or right.
    pub(super) pan: f64,
    /// Up or down.
    pub(super) tilt: f64,
    /// Where the light comes from, around the vertical axis.
    pub(super) light: f64,
}

/// As many heads as are wanted, seen at random.
pub(super) fn poses(count: usize, seed: u64) -> Vec<Pose> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
    let pose = |_| Pose {
        pan: between(-PAN, PAN),
        tilt: between(-TILT, TILT),
        light: between(LIGHT.0, LIGHT.1) - 180.0,
    };
    (0..count).map(pose).collect()
}

type Vector = [f64; 3];

/// An ellipsoid: centre and half axes; x to the right, y up, z towards the viewer.
const PARTS: [(Vector, Vector); 6] = [
    // Skull, jaw, nose, ears, neck.
    ([0.0, 0.1, 0.0], [0.62, 0.72, 0.7]),
    ([0.0, -0.35, 0.12], [0.45, 0.42, 0.5]),
    ([0.0, -0.05, 0.72], [0.11, 0.2, 0.2]),
    ([0.64, 0.02, -0.05], [0.1, 0.2, 0.16]),
    ([-0.64, 0.02, -0.05], [0.1, 0.2, 0.16]),
    ([0.0, -0.85, -0.1], [0.3, 0.5, 0.3]),
];
/// The width of borders.
const SOFT: f64 = 0.12;
/// Rays of a pixel along each side.
const RAYS: u32 = 2;
/// Light that comes from everywhere.
const AMBIENT: f64 = 0.5;

/// The picture of a head, grey values from 0 to 1, row by row.
pub(super) fn render(pose: Pose) -> Vec<f64> {
    let [pan, tilt, light] = [pose.pan, pose.tilt, pose.light].map(f64::to_radians);
    let towards_light = [light.sin(), 0.35, light.cos()];
    let half = f64::from(SIDE * RAYS) / 2.0;
    let seen = |column: u32, row: u32| {
        let (column, row) = (f64::from(column) + 0.5, f64::from(row) + 0.5);
        let origin = [(column - half) / half * 1.25, (half - row) / half * 1.25, 3.0];
        // The ray turns instead of the head.
        let (origin, ray) = (turned(origin, pan, tilt), turned([0.0, 0.0, -1.0], pan, tilt));
        let Some((place, normal)) = first_hit(origin, ray) else { return 0.0 };
        let facing = dot(normal, turned(towards_light, pan, tilt)) / length(towards_light);
        tone(place) * (AMBIENT + (1.0 - AMBIENT) * facing.max(0.0))
    };
    let pixel = |i: u32| {
        let rays = (0..RAYS).flat_map(|y| (0..RAYS).map(move |x| (x, y)));
        let sum: f64 = rays.map(|(x, y)| seen(i % SIDE * RAYS + x, i / SIDE * RAYS + y)).sum();
        sum / f64::from(RAYS * RAYS)
    };
    (0..SIDE * SIDE).map(pixel).collect()
}

/// A direction as the head sees it that is turned by pan and then nods by tilt.
fn turned([x, y, z]: Vector, pan: f64, tilt: f64) -> Vector {
    let (sin, cos) = (-tilt).sin_cos();
    let (y, z) = (cos * y - sin * z, sin * y + cos * z);
    let (sin, cos) = (-pan).sin_cos();
    [cos * x + sin * z, y, -sin * x + cos * z]
}

/// How bright the head is by itself: hair, eyes and mouth are dark, with soft borders.
fn tone([x, y, z]: Vector) -> f64 {
    let inside = |distance: f64| (0.5 - distance / SOFT).clamp(0.0, 1.0);
    let in_front = inside(-z);
    let eye = inside((x.abs() - 0.24).hypot(1.3 * (y - 0.12)) - 0.14);
    let mouth = inside((x.abs() - 0.2).max((y + 0.45).abs() - 0.08));
    let hair = inside(0.45 + 0.3 * z - y);
    (1.0 - 0.9 * in_front * eye) * (1.0 - 0.8 * in_front * mouth) * (1.0 - 0.7 * hair)
}

/// Place and normal of the first surface that a ray meets.
fn first_hit(origin: Vector, ray: Vector) -> Option<(Vector, Vector)> {
    let hits = PARTS.iter().filter_map(|&(centre, axes)| {
        let scaled = |v: Vector| [v[0] / axes[0], v[1] / axes[1], v[2] / axes[2]];
        let from: Vector = std::array::from_fn(|i| origin[i] - centre[i]);
        let (o, d) = (scaled(from), scaled(ray));
        let (a, b, c) = (dot(d, d), dot(o, d), dot(o, o) - 1.0);
        let root = b * b - a * c;
        let distance = (root >= 0.0).then(|| (-b - root.sqrt()) / a)?;
        let normal: Vector =
            std::array::from_fn(|i| (from[i] + distance * ray[i]) / (axes[i] * axes[i]));
        let long = length(normal);
        Some((distance, normal.map(|v| v / long)))
    });
    let (distance, normal) = hits.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((std::array::from_fn(|i| origin[i] + distance * ray[i]), normal))
}

fn dot(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_that_turns_is_mirrored_by_one_that_turns_the_other_way() {
        let seen = |pan: f64, light: f64| render(Pose { pan, tilt: 3.0, light });
        let (left, right) = (seen(-30.0, -20.0), seen(30.0, 20.0));
        let side = SIDE as usize;
        for (row, other) in left.chunks(side).zip(right.chunks(side)) {
            for (a, b) in row.iter().zip(other.iter().rev()) {
                assert!((a - b).abs() < 1e-9);
            }
        }
        assert!(left.iter().zip(&seen(-30.0, 40.0)).any(|(a, b)| (a - b).abs() > 0.2));
    }
}
