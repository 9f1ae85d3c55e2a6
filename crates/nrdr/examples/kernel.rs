//! Kernel PCA by a kernel of one's own: exp(-sum of |x - y|).
//!
//! cargo run --release -p nrdr --example kernel

use nrdr::{Length, Matrix, Options, Precomputed, SymmetricMatrix, datasets::SwissRoll, embed};

fn main() -> nrdr::Result<()> {
    let points = SwissRoll { n: 500, ..Default::default() }.generate(1)?.points;
    let n = points.rows();
    let kernel = |i: usize, j: usize| {
        let apart = points.row(i).iter().zip(points.row(j)).map(|(x, y)| (x - y).abs());
        (-apart.sum::<f64>() / 10.0).exp()
    };
    let entries = (0..n * n).map(|at| kernel(at / n, at % n)).collect();
    let matrix = Matrix::from(SymmetricMatrix::new(entries)?);

    // Coordinates are orthogonal to the constant, which is what centring is for, and reproduce distances.
    let (trivial, length) = (Some(vec![1.0; n]), Length::SquareRoot);
    let method = Precomputed { trivial, length, ..Default::default() };
    let embedding = embed(&matrix, &method, &Options::default())?;
    println!("eigenvalues {:.3?}", embedding.eigenvalues().collect::<Vec<_>>());
    println!("first point {:.4?}", embedding.row(0).collect::<Vec<_>>());
    Ok(())
}
