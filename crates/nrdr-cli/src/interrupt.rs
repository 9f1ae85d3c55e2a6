//! Ctrl-C: the end, at once, and nothing half-written.

use crate::terminal::tell;

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// From here on Ctrl-C ends the program.
pub fn install() {
    install_in(true);
}

/// The same in one of several processes that end together, of which one speaks.
pub fn install_in(speaks: bool) {
    let end = move || {
        nrdr_write::remove_unfinished();
        if speaks {
            tell("\ninterrupted: no file is left half-written");
        }
        std::process::exit(INTERRUPTED);
    };
    // Without the handler Ctrl-C still ends the program, only with the system's exit code.
    if let Err(error) = ctrlc::set_handler(end) {
        tell(&format!("warning: Ctrl-C is not handled ({error})"));
    }
}
