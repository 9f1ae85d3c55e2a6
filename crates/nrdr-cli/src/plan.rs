//! What a run would take, told without running it.

use std::io::Write;

use nrdr::{Plan, either};
use nrdr_report::memory;
use nrdr_write::{printable, write_atomically};

use crate::failure::Failure;
use crate::json;
use crate::options::outputs::{Outputs, wrote};
use crate::words::Typed;

/// A plan with what this process took to read the input.
pub(crate) fn of_process(plan: Plan) -> Plan {
    match (memory::peak(), memory::resident()) {
        (Some(peak), Some(resident)) => plan.with_reading(peak, resident),
        _ => plan,
    }
}

/// Tells it, and writes it where `--json` says.
pub(crate) fn tell(
    plan: &Plan,
    headline: &str,
    outputs: &Outputs,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if let Some(file) = &outputs.json {
        let text = json::text(plan)?;
        write_atomically(file, |out| out.write_all(text.as_bytes()))?;
    }
    if outputs.quiet {
        return Ok(());
    }
    writeln!(out, "{}", printable(headline))?;
    writeln!(
        out,
        "{}, strategy {}, {} neighbours, {} coordinates\n",
        plan.method, plan.strategy, plan.neighbors, plan.dims
    )?;
    write!(out, "{plan}")?;
    if !plan.fits {
        let instead: Vec<String> = plan.instead.iter().filter_map(|one| one.told(&Typed)).collect();
        writeln!(out, "It does not fit: {}.", either(&instead))?;
    }
    if let Some(file) = &outputs.json {
        writeln!(out, "{}", wrote(file))?;
    }
    Ok(())
}
