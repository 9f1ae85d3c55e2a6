//! Shows how far the work is, and stops it when its time is over.
//!
//! cargo run --release -p nrdr --example cancel

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use nrdr::{Error, Isomap, Options, Prepared, Stage, Strategy, datasets::SwissRoll};

fn main() -> nrdr::Result<()> {
    let roll = SwissRoll { n: 4000, ..Default::default() }.generate(1)?;
    let end = Instant::now() + Duration::from_millis(300);
    // Called by the threads that work: it should be quick.
    let observer = |stage: Stage, fraction: f64| {
        eprint!("\r{stage}: {:.0} %   ", 100.0 * fraction);
        if Instant::now() < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let (method, options) = (Isomap::default(), Options::default());
    let prepared = Prepared::new(&roll.points, &method, &options)?.observed(&observer);
    match prepared.embed(&Strategy::default()) {
        Ok(embedding) => println!("\ndone: {} coordinates", embedding.dims()),
        Err(Error::Cancelled { stage }) => println!("\nstopped while: {stage}"),
        Err(error) => return Err(error),
    }
    Ok(())
}
