"""Packs the program with its man pages, completions and licences: a tar.gz, and a .deb.

    python3 scripts/packages.py archive PROGRAM PLATFORM DIST
    python3 scripts/packages.py deb PROGRAM GLIBC DIST

DIST has the man pages, the completions and the licences already. Equal files make equal packages:
times are SOURCE_DATE_EPOCH, and nobody owns what is in them.
"""

from __future__ import annotations

import argparse
import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARGO = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
NAME = "nrdr"
LICENCES = ["LICENSE-MIT", "LICENSE-APACHE"]
THIRD_PARTY = "third-party-licences.txt"
#: Where Debian's shells look for completions.
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/nrdr",
    "zsh": "usr/share/zsh/vendor-completions/_nrdr",
    "fish": "usr/share/fish/vendor_completions.d/nrdr.fish",
}
CONTROL = """\
Package: nrdr
Version: {version}
Architecture: amd64
Section: science
Priority: optional
Maintainer: {maintainer}
Homepage: {homepage}
{depends}Installed-Size: {size}
Description: {summary}
 Spectral methods (Laplacian eigenmaps, diffusion maps, LLE and its relatives,
 Isomap, kernel PCA) make coordinates of eigenvectors, of which later ones are
 often functions of earlier ones. nrdr asks that each coordinate be
 unpredictable from the earlier ones, and shows the original beside it.
"""

#: What a package has: the path there, the bytes, and whether they are run.
Files = dict[str, tuple[bytes, bool]]


def time() -> int:
    """The time that all files have."""
    return int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


def contents(program: Path, dist: Path) -> Files:
    """The files of the archive."""
    files: Files = {"nrdr": (program.read_bytes(), True)}
    for name in [*LICENCES, "README.md", "CHANGELOG.md"]:
        files[name] = ((ROOT / name).read_bytes(), False)
    files[THIRD_PARTY] = ((dist / THIRD_PARTY).read_bytes(), False)
    for folder in ("man", "completions"):
        for file in sorted((dist / folder).iterdir()):
            files[f"{folder}/{file.name}"] = (file.read_bytes(), False)
    return files


def archive(program: Path, platform: str, dist: Path) -> Path:
    """Writes the tar.gz: one folder, whose name tells the version and the platform."""
    stem = f"{NAME}-{CARGO['version']}-{platform}"
    path = dist / f"{stem}.tar.gz"
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=time()) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar,
    ):
        for name, (data, runs) in contents(program, dist).items():
            entry = tarfile.TarInfo(f"{stem}/{name}")
            entry.size, entry.mtime, entry.mode = len(data), time(), 0o755 if runs else 0o644
            tar.addfile(entry, io.BytesIO(data))
    return path


def placed(files: Files) -> Files:
    """The same where Debian has it."""
    new: Files = {"usr/bin/nrdr": files["nrdr"]}
    for name, (data, _) in files.items():
        folder, _, base = name.partition("/")
        if folder == "man":
            new[f"usr/share/man/man1/{base}.gz"] = (gzip.compress(data, 9, mtime=0), False)
        elif folder == "completions" and base in COMPLETIONS:
            new[COMPLETIONS[base]] = (data, False)
    terms = b"\n".join(files[name][0] for name in LICENCES)
    document = "usr/share/doc/nrdr"
    new[f"{document}/copyright"] = (terms, False)
    for name, base in [(THIRD_PARTY, THIRD_PARTY), ("CHANGELOG.md", "changelog")]:
        new[f"{document}/{base}.gz"] = (gzip.compress(files[name][0], 9, mtime=0), False)
    return new


def deb(program: Path, glibc: str, dist: Path) -> Path:
    """Writes the .deb."""
    folder = dist.parent / "deb"
    shutil.rmtree(folder, ignore_errors=True)
    files = placed(contents(program, dist))
    control = CONTROL.format(
        version=CARGO["version"],
        maintainer=f"{CARGO['authors'][0]} <nobody@example.org>",
        homepage=CARGO["repository"],
        depends="" if glibc == "none" else f"Depends: libc6 (>= {glibc})\n",
        size=sum(len(data) for data, _ in files.values()) // 1024,
        summary=CARGO["description"],
    )
    files["DEBIAN/control"] = (control.encode(), False)
    for name, (data, runs) in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
        path.write_bytes(data)
        path.chmod(0o755 if runs else 0o644)
    path = dist / f"{NAME}_{CARGO['version']}_amd64.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", folder, path]
    subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(time())})
    return path


def main() -> None:
    """Writes one of them, and says how large it is."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["archive", "deb"])
    parser.add_argument("program", type=Path)
    parser.add_argument("system", help="platform of the archive; glibc of the .deb, or none")
    parser.add_argument("dist", type=Path)
    arguments = parser.parse_args()
    write = {"archive": archive, "deb": deb}[arguments.what]
    try:
        path = write(arguments.program, arguments.system, arguments.dist)
    except FileNotFoundError as error:
        sys.exit(f"{error.filename} is missing")
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
