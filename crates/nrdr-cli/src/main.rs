//! The program `nrdr`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    nrdr_cli::main()
}
