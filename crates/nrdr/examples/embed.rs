//! Two coordinates of a Swiss roll, the original's and non-redundant ones, and how well each pair tells where a point lies.
//!
//! cargo run --release -p nrdr --example embed

use nrdr::{LaplacianEigenmaps, Options, Strategy, datasets::SwissRoll, embed, quality::recovery};

fn main() -> nrdr::Result<()> {
    let roll = SwissRoll { n: 2000, height: 10.0, ..Default::default() }.generate(1)?;
    let (along, across) = (roll.truth.column(0), roll.truth.column(1));
    for strategy in [Strategy::orthogonal(), Strategy::default()] {
        let options = Options { strategy, ..Default::default() };
        let embedding = embed(&roll.points, &LaplacianEigenmaps::default(), &options)?;
        let told = recovery(&embedding.to_points()?, &[&along, &across])?;
        println!("{}: R2 along {:.2}, across {:.2}", options.strategy.name(), told[0], told[1]);
        embedding.warnings.iter().for_each(|warning| println!("  {warning}"));
    }
    Ok(())
}
