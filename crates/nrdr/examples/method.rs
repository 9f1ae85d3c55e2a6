//! A method of one's own: Laplacian eigenmaps without weights of the points, the smallest eigenvectors of D - W.
//!
//! cargo run --release -p nrdr --example method

use nrdr::method::{About, Needs};
use nrdr::{
    Data, End, Length, Method, Options, Problem, Progress, Result, SparseMatrix, datasets, embed,
};

#[derive(Clone, Debug)]
struct Plain;

impl Method for Plain {
    fn about(&self) -> &'static About {
        const ABOUT: About = About {
            name: "plain",
            title: "Eigenmaps of the plain Laplacian",
            paper: "",
            class: "",
            needs: Needs::Graph,
        };
        &ABOUT
    }

    fn problem(&self, data: Data<'_>, _: &Progress<'_>) -> Result<Problem> {
        let edges = &data.graph(self)?.edges;
        let n = edges.size();
        let degrees = (0..n).map(|i| (i, i, edges.columns(i).len() as f64));
        let ties = (0..n).flat_map(|i| edges.row(i).map(move |(j, _)| (i, j, -1.0)));
        let laplacian = SparseMatrix::new(n, &degrees.chain(ties).collect::<Vec<_>>())?;
        Ok(Problem {
            matrix: laplacian.into(),
            end: End::Smallest,
            scale: None,
            trivial: Some(vec![1.0; n]),
            // No eigenvalue is negative: it may be factorised.
            bound: Some(0.0),
            near_null: Vec::new(),
            length: Length::One,
            chosen: Vec::new(),
            warnings: Vec::new(),
        })
    }
}

fn main() -> Result<()> {
    let roll = datasets::SwissRoll { n: 1000, height: 10.0, ..Default::default() }.generate(1)?;
    let embedding = embed(&roll.points, &Plain, &Options::default())?;
    embedding
        .coordinates
        .iter()
        .for_each(|c| println!("{:.4e} by {}", c.eigenvalue, embedding.solver));
    Ok(())
}
