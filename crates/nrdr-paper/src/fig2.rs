//! Figure 2: strips of three lengths, coloured by the first Laplacian eigenmaps and by the functions they approach.

use nrdr::datasets::Strip;
use nrdr::{LaplacianEigenmaps, Options, Prepared, Strategy};

use super::picture::{Panel, correlation, figure, plane};
use super::{Produced, Settings};

const ASPECTS: [f64; 3] = [1.5, 2.5, 3.5];
const COORDINATES: usize = 3;

pub(super) fn produce(settings: Settings<'_>) -> nrdr::Result<Produced> {
    let n = if settings.quick { 600 } else { 2000 };
    let bar = settings.bar();
    let mut panels: Vec<Panel> = Vec::new();
    let (mut rows, mut words) = (Vec::new(), Vec::new());
    for aspect in ASPECTS {
        let strip = Strip { n, aspect, noise: 0.0 };
        let data = strip.generate(settings.seed)?;
        let options = Options {
            dims: COORDINATES.into(),
            strategy: Strategy::orthogonal(),
            ..Default::default()
        };
        let embedding = Prepared::new(&data.points, &LaplacianEigenmaps::default(), &options)?
            .observed(&bar)
            .embed(&options.strategy)?;
        let (x, y) = (data.points.column(0), data.points.column(1));
        let mut analytic: Vec<Panel> = Vec::new();
        let mut functions_of_length = 0;
        for (i, waves) in strip.wave_numbers(COORDINATES).into_iter().enumerate() {
            let found = embedding.coordinate(i);
            let expected: Vec<f64> =
                (0..n).map(|p| strip.eigenfunction(waves, data.points.row(p))).collect();
            let likeness = correlation(found, &expected);
            functions_of_length += usize::from(waves.1 == 0);
            rows.push(format!("{aspect},{},{},{},{likeness:.4}", i + 1, waves.0, waves.1));
            let name = format!("{aspect} : 1, coordinate {}", i + 1);
            panels.push(plane(&x, &y, found, &name, ["x", "y"]));
            let name = format!("cos({}πx/L) cos({}πy)", waves.0, waves.1);
            analytic.push(plane(&x, &y, &expected, &name, ["x", "y"]));
        }
        panels.append(&mut analytic);
        words.push(format!("{aspect} : 1 {functions_of_length}"));
    }
    let least = rows.iter().filter_map(|row| row.rsplit(',').next()?.parse().ok());
    let least = least.fold(1.0, f64::min);
    Ok(Produced {
        figure: figure(panels, COORDINATES, 300.0, 190.0),
        header: "aspect,coordinate,waves_x,waves_y,correlation",
        rows,
        line: format!(
            "in the paper, too, the longer the strip, the more of the first {COORDINATES} coordinates are functions of its length alone: {}; least correlation with the analytic eigenfunctions {least:.3}",
            words.join(", ")
        ),
        table: None,
    })
}
