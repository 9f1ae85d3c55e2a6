//! Coordinates for points that come later, by a model that goes to a file and back.
//!
//! cargo run --release -p nrdr --example new_points

use nrdr::{LaplacianEigenmaps, Model, Options, datasets::SwissRoll, fit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let roll = SwissRoll { n: 1000, ..Default::default() };
    let (old, new) = (roll.generate(1)?, roll.generate(2)?);
    let (_, model) = fit(&old.points, &LaplacianEigenmaps::default(), &Options::default())?;

    let file = std::env::temp_dir().join(format!("nrdr-example-{}.model", std::process::id()));
    std::fs::write(&file, model.to_bytes()?)?;
    let model = Model::from_bytes(&std::fs::read(&file)?)?;
    std::fs::remove_file(&file)?;

    let coordinates = model.transform(&new.points, &())?;
    for i in 0..3 {
        println!("{:.2?} -> {:.4?}", new.points.row(i), coordinates.row(i));
    }
    Ok(())
}
