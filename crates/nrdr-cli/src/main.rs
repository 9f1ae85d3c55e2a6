//! The command line of nrdr.

fn main() {}
