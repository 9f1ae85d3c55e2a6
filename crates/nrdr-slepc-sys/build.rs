//! Asks pkg-config for Open MPI, PETSc and SLEPc, and the headers of PETSc for the size of its numbers.

use std::env;
use std::fs;
use std::process::{Command, exit};

/// Name for pkg-config, the variable with another name for it, the package of Debian that has it.
const PACKAGES: [(&str, &str, &str); 3] = [
    ("ompi-c", "NRDR_PKG_MPI", "libopenmpi-dev"),
    ("petsc", "NRDR_PKG_PETSC", "libslepc-real-dev"),
    ("slepc", "NRDR_PKG_SLEPC", "libslepc-real-dev"),
];

fn main() {
    println!("cargo:rerun-if-env-changed=PKG_CONFIG");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rustc-check-cfg=cfg(petsc_int64)");
    let mut headers = Vec::new();
    for (name, variable, package) in PACKAGES {
        println!("cargo:rerun-if-env-changed={variable}");
        let name = env::var(variable).unwrap_or_else(|_| name.to_string());
        for flag in flags(&name, package) {
            match flag.split_at_checked(2) {
                Some(("-I", folder)) => headers.push(folder.to_string()),
                Some(("-L", folder)) => println!("cargo:rustc-link-search=native={folder}"),
                Some(("-l", library)) => println!("cargo:rustc-link-lib=dylib={library}"),
                _ => {}
            }
        }
    }
    let found = headers.iter().find_map(|folder| {
        let path = format!("{folder}/petscconf.h");
        fs::read_to_string(&path).ok().map(|text| (path, text))
    });
    let Some((path, text)) = found else { fail("petscconf.h is in none of PETSC's folders") };
    println!("cargo:rerun-if-changed={path}");
    let has = |name: &str| text.lines().any(|line| line.split_whitespace().nth(1) == Some(name));
    if has("PETSC_USE_COMPLEX") || !has("PETSC_USE_REAL_DOUBLE") {
        fail(
            "this PETSc does not compute with real numbers of double precision: libslepc-real-dev does",
        );
    }
    if !has("PETSC_HAVE_MUMPS") {
        fail("this PETSc was built without MUMPS: the one of Debian, libslepc-real-dev, has it");
    }
    if has("PETSC_USE_64BIT_INDICES") {
        println!("cargo:rustc-cfg=petsc_int64");
    }
}

/// What the compiler and the linker are told for a package.
fn flags(name: &str, package: &str) -> Vec<String> {
    let tool = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".to_string());
    match Command::new(&tool).args(["--cflags", "--libs", name]).output() {
        Ok(done) if done.status.success() => {
            String::from_utf8_lossy(&done.stdout).split_whitespace().map(String::from).collect()
        }
        Ok(_) => fail(&format!("{tool} knows no {name}: it is in the package {package}")),
        Err(error) => fail(&format!("{tool}: {error} (apt install pkg-config)")),
    }
}

fn fail(reason: &str) -> ! {
    println!("cargo:warning={reason}");
    println!(
        "cargo:warning=nrdr-mpi needs SLEPc, PETSc and Open MPI: apt install libslepc-real-dev openmpi-bin libopenmpi-dev"
    );
    exit(1);
}
