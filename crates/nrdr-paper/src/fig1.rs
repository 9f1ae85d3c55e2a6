//! Figure 1: a Swiss roll on which the original methods spend both coordinates on the same direction.

use nrdr::datasets::SwissRoll;
use nrdr::quality::recovery;
use nrdr::{HessianLle, Lle, Ltsa, Method, Options, Strategy};
use nrdr_report::found::title;

use super::picture::{Panel, figure, plane, space};
use super::{Produced, Settings, by_strategies};

/// What the original and the non-redundant coordinates must tell of the height, in R2.
const GOALS: [(f64, f64); 3] = [(0.75, 0.9), (0.15, 0.9), (0.15, 0.9)];

pub(super) fn produce(settings: Settings<'_>) -> nrdr::Result<Produced> {
    let n = if settings.quick { 500 } else { 1000 };
    let roll = SwissRoll { n, height: 8.0, noise: 0.3, hole: false }.generate(settings.seed)?;
    let (t, height) = (roll.truth.column(0), roll.truth.column(1));
    let local_dimension = Some(2);
    let methods: [Box<dyn Method>; 3] = [
        Box::<Lle>::default(),
        Box::new(HessianLle { local_dimension }),
        Box::new(Ltsa { local_dimension }),
    ];
    let bar = settings.bar();
    let mut panels: Vec<Panel> = Vec::new();
    let (mut rows, mut words, mut met) = (Vec::new(), Vec::new(), true);
    for (method, (most, least)) in methods.iter().zip(GOALS) {
        let name = method.name().to_uppercase();
        let mut found = [0.0; 2];
        let both = [Strategy::orthogonal(), Strategy::unpredictable(Default::default())];
        let embeddings =
            by_strategies(&roll.points, method.as_ref(), &Options::default(), &both, &bar)?;
        for (embedding, found) in embeddings.into_iter().zip(&mut found) {
            let embedding = embedding?;
            let kind = title(embedding.strategy);
            let scores = recovery(&embedding.to_points()?, &[&t, &height])?;
            *found = scores[1];
            rows.push(format!("{},{kind},{:.4},{:.4}", method.name(), scores[0], scores[1]));
            let (first, second) = (embedding.coordinate(0), embedding.coordinate(1));
            panels.push(space(&roll.points, first, &format!("{name}, {kind}: coordinate 1"), 20.0));
            panels.push(space(
                &roll.points,
                second,
                &format!("{name}, {kind}: coordinate 2"),
                20.0,
            ));
            let axes = ["coordinate 1", "coordinate 2"];
            panels.push(plane(first, second, &height, "coloured by height", axes));
        }
        met &= found[0] <= most && found[1] >= least;
        words.push(format!("{name} {:.2} -> {:.2}", found[0], found[1]));
    }
    let verdict = if met { "as in the paper" } else { "not as in the paper" };
    Ok(Produced {
        figure: figure(panels, 3, 380.0, 300.0),
        header: "method,strategy,R2_t,R2_height",
        rows,
        line: format!(
            "the paper's originals repeat coordinate 1, its non-redundant ones unroll the sheet; R2 of the height, original -> non-redundant: {}: {verdict}",
            words.join(", ")
        ),
        table: None,
    })
}
