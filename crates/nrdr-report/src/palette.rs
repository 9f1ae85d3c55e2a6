//! The colours of pages and pictures: hues for classes, and a ramp for numbers that grows in lightness.

/// Red, green and blue.
pub type Color = [u8; 3];

/// What colours lie on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// White, or nearly.
    Light,
    /// Black, or nearly.
    Dark,
}

/// Okabe and Ito's eight, the strongest first, which the colour-blind tell apart; black is the ink of the ground.
const OKABE_ITO: [Option<Color>; 8] = [
    Some([0, 114, 178]),
    Some([213, 94, 0]),
    Some([0, 158, 115]),
    Some([204, 121, 167]),
    Some([230, 159, 0]),
    Some([86, 180, 233]),
    None,
    Some([222, 205, 30]),
];

/// Lightness, chroma and hue of the ramp: violet, blue, teal, green, yellow.
const STOPS: [[f64; 3]; 5] = [
    [0.34, 0.14, 298.0],
    [0.46, 0.12, 258.0],
    [0.59, 0.1, 205.0],
    [0.73, 0.15, 155.0],
    [0.87, 0.175, 105.0],
];

/// Classes that have colours of their own; further ones share [`MISSING`].
pub const MOST_CLASSES: usize = 200;
/// The colour of what has no class or no number.
pub const MISSING: Color = [140, 146, 152];

/// The colours of so many classes: Okabe and Ito's eight, then each time the candidate that is farthest from all before
/// it and from the ground. So the first thirty can be told apart, and classes keep their colours when others are added.
pub fn classes(count: usize, ground: Ground) -> Vec<Color> {
    let mut colors: Vec<Color> =
        OKABE_ITO.iter().take(count).map(|known| on_ground(*known, ground)).collect();
    let candidates = candidates(ground);
    let paper = match ground {
        Ground::Light => WHITE,
        Ground::Dark => BLACK,
    };
    let mut nearest = vec![f64::INFINITY; candidates.len()];
    let mut move_away = |from: Lab| {
        for (nearest, (place, _)) in nearest.iter_mut().zip(&candidates) {
            *nearest = nearest.min(distance(*place, from));
        }
        let farthest =
            nearest.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        farthest.map_or(0, |(at, _)| at)
    };
    move_away(paper);
    let mut at = colors.iter().map(|color| move_away(lab_of(*color))).last().unwrap_or(0);
    while colors.len() < count.min(MOST_CLASSES) {
        let (place, color) = candidates[at];
        colors.push(color);
        at = move_away(place);
    }
    colors.resize(count, MISSING);
    colors
}

/// One of Okabe and Ito's as it is drawn: on a dark ground all are a little lighter.
fn on_ground(known: Option<Color>, ground: Ground) -> Color {
    match (known, ground) {
        (Some(color), Ground::Light) => color,
        (Some(color), Ground::Dark) => {
            color.map(|value| (f64::from(value) + 0.2 * (255.0 - f64::from(value))).round() as u8)
        }
        (None, Ground::Light) => [40, 40, 40],
        (None, Ground::Dark) => [226, 229, 232],
    }
}

/// Lightness, and the two axes of hue, of the perceptually uniform space OKLab.
type Lab = [f64; 3];
const WHITE: Lab = [1.0, 0.0, 0.0];
const BLACK: Lab = [0.2, 0.0, 0.0];

fn distance(a: Lab, b: Lab) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Colours that a screen has, all around the wheel, neither too near to white nor to black.
fn candidates(ground: Ground) -> Vec<(Lab, Color)> {
    let darkest = match ground {
        Ground::Light => 0.30,
        Ground::Dark => 0.44,
    };
    let mut all = Vec::new();
    for lightness in (0..10).map(|i| darkest + 0.055 * f64::from(i)) {
        for chroma in (0..5).map(|i| 0.06 * f64::from(i)) {
            for hue in (0..360).step_by(12).map(|degrees| f64::from(degrees).to_radians()) {
                let place = [lightness, chroma * hue.cos(), chroma * hue.sin()];
                let (color, is_there) = color_of(place);
                if is_there {
                    all.push((place, color));
                }
            }
        }
    }
    all
}

/// The colour of a number between 0 and 1; the ramp keeps away from the ground at either end.
pub fn ramp(number: f64, ground: Ground) -> Color {
    let place = number.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let i = (place as usize).min(STOPS.len() - 2);
    let between = |k: usize| STOPS[i][k] + (place - i as f64) * (STOPS[i + 1][k] - STOPS[i][k]);
    let lightness = match ground {
        Ground::Light => between(0),
        Ground::Dark => 0.17 + 0.86 * between(0),
    };
    oklch(lightness, between(1), between(2))
}

/// A colour as it is written in a stylesheet or a picture: `#0072b2`.
pub fn hex([red, green, blue]: Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The nearest colour that a screen has to this lightness, chroma and hue in degrees.
fn oklch(lightness: f64, chroma: f64, hue: f64) -> Color {
    let (sine, cosine) = hue.to_radians().sin_cos();
    color_of([lightness, chroma * cosine, chroma * sine]).0
}

/// The nearest colour that a screen has, and whether it has this very one.
fn color_of([lightness, a, b]: Lab) -> (Color, bool) {
    let l = (lightness + 0.3963377774 * a + 0.2158037573 * b).powi(3);
    let m = (lightness - 0.1055613458 * a - 0.0638541728 * b).powi(3);
    let s = (lightness - 0.0894841775 * a - 1.291485548 * b).powi(3);
    let linear = [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    let is_there = linear.iter().all(|value| (-1e-4..=1.0001).contains(value));
    let color = linear.map(|value| {
        let value = value.clamp(0.0, 1.0);
        let encoded =
            if value <= 0.0031308 { 12.92 * value } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
        (255.0 * encoded).round() as u8
    });
    (color, is_there)
}

fn lab_of(color: Color) -> Lab {
    let [red, green, blue] = color.map(|value| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    let l = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue).cbrt();
    let m = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue).cbrt();
    let s = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue).cbrt();
    [
        0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least_distance(colors: &[Color]) -> f64 {
        let places: Vec<Lab> = colors.iter().map(|color| lab_of(*color)).collect();
        let pairs = (0..places.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| distance(places[i], places[j])).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn thirty_classes_can_be_told_apart_on_either_ground() {
        for (ground, paper) in [(Ground::Light, WHITE), (Ground::Dark, BLACK)] {
            let colors = classes(30, ground);
            // Twice of what is just told apart at the size of a point, about 0.04.
            let least = least_distance(&colors);
            assert!(least > 0.08, "{ground:?}: {least}");
            let from_paper = colors.iter().map(|color| distance(lab_of(*color), paper));
            let from_paper = from_paper.fold(f64::INFINITY, f64::min);
            assert!(from_paper > 0.15, "{ground:?}: {from_paper}");
        }
    }

    #[test]
    fn classes_keep_their_colours_when_others_are_added() {
        for ground in [Ground::Light, Ground::Dark] {
            let all = classes(250, ground);
            assert_eq!(all.len(), 250);
            for count in [0, 1, 5, 8, 9, 30] {
                assert_eq!(classes(count, ground), all[..count]);
            }
            assert!(all[MOST_CLASSES..].iter().all(|color| *color == MISSING));
        }
        assert_eq!(classes(1, Ground::Light), [[0, 114, 178]]);
    }

    #[test]
    fn the_ramp_grows_in_lightness() {
        for ground in [Ground::Light, Ground::Dark] {
            let steps: Vec<f64> =
                (0..=20).map(|i| lab_of(ramp(f64::from(i) / 20.0, ground))[0]).collect();
            assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{ground:?}: {steps:?}");
        }
        assert_eq!(hex(ramp(-3.0, Ground::Light)), hex(ramp(0.0, Ground::Light)));
    }

    #[test]
    fn places_and_colours_are_inverse() {
        for color in [[0, 0, 0], [255, 255, 255], [12, 200, 99], [213, 94, 0]] {
            assert_eq!(color_of(lab_of(color)).0, color);
        }
    }
}
