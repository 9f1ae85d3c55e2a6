//! Times one embedding of points read from standard input (little-endian f64, row after row).
//! bench METHOD COLUMNS NEIGHBORS REPEATS  ->  best wall time in seconds, then the details of a run.
use std::io::Read;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, method, columns, neighbors, repeats] = args.as_slice() else {
        return Err("usage: bench METHOD COLUMNS NEIGHBORS REPEATS < points".into());
    };
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let (chunks, _) = bytes.as_chunks::<8>();
    let values = chunks.iter().map(|c| f64::from_le_bytes(*c)).collect();
    let points = nrdr::Points::new(values, columns.parse()?)?;
    let all = nrdr::method::all();
    let method = all.iter().find(|m| m.name() == method).ok_or("no such method")?;
    let options = nrdr::Options { neighbors: neighbors.parse()?, ..Default::default() };
    let mut best = f64::INFINITY;
    for _ in 0..repeats.parse()? {
        let start = Instant::now();
        let embedding = nrdr::embed(&points, method.as_ref(), &options)?;
        best = best.min(start.elapsed().as_secs_f64());
        eprintln!(
            "{:.3} s {} {:?}",
            start.elapsed().as_secs_f64(),
            embedding.solver,
            embedding.times
        );
        for c in &embedding.coordinates {
            eprintln!(
                "  eigenvalue {:.6e} residual {:.1e} iterations {}",
                c.eigenvalue, c.residual, c.iterations
            );
        }
    }
    println!("{best}");
    Ok(())
}
