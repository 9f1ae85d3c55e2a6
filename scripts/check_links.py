"""Checks the links of the pages, and those of the site.

    python3 scripts/check_links.py                     the pages as they are written
    python3 scripts/check_links.py --site target/site  the site as it was built

Of the pages: each link leads to a file, each anchor to a heading, and the navigation of mkdocs.yml
has every page, each once. Of the site: the same by its HTML, every page is reached from the first
one, and nothing is loaded from another host. Pages of rustdoc are looked at for the last only:
rustdoc checks its own links.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import site_hooks

ROOT = Path(__file__).resolve().parent.parent

#: Attributes that make a browser load something, by the element that has them.
LOADS = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "img": ("src", "srcset"),
    "input": ("src",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "video": ("src", "poster"),
}
#: Relations of a `link` that load nothing.
QUIET = {"alternate", "author", "canonical", "edit", "help", "license", "next", "prev", "search"}
ELSEWHERE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
STYLE = re.compile(r"""(?:url\(\s*|@import\s+)["']?([^"')\s;]+)""")


def slug(heading: str) -> str:
    """The anchor of a heading, as forges and the site make it."""
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    words = re.sub(r"[^\w\- ]", "", words.replace("`", "").strip().lower())
    return words.replace(" ", "-")


def anchors(text: str) -> set[str]:
    """Those of a page; headings of the same words are numbered."""
    found: set[str] = set()
    seen: Counter[str] = Counter()
    for _, line in site_hooks.prose(text):
        heading = re.match(r"#{1,6} +(.+?) *#*$", line)
        if heading:
            name = slug(heading.group(1))
            found.add(f"{name}-{seen[name]}" if seen[name] else name)
            seen[name] += 1
        found.update(re.findall(r'\bid="([^"]+)"', line))
    return found


def pages(root: Path) -> list[Path]:
    """All pages that are written."""
    places = ["*.md", "docs/**/*.md", "fuzz/*.md", ".github/**/*.md"]
    return sorted(path for place in places for path in root.glob(place))


def written(root: Path) -> list[str]:
    """What is wrong with the links of the pages."""
    problems = []
    texts = {path: path.read_text(encoding="utf-8") for path in pages(root)}
    for path, text in texts.items():
        for number, line in site_hooks.prose(text):
            for target in site_hooks.links(line):
                if re.match(r"[a-z]+:", target):
                    continue
                where = f"{path.relative_to(root)}:{number}: {target}"
                name, _, anchor = target.partition("#")
                there = (path.parent / unquote(name)).resolve() if name else path
                if not there.exists():
                    problems.append(f"{where}: there is no such file")
                elif anchor and there in texts and anchor not in anchors(texts[there]):
                    problems.append(f"{where}: the page has no such heading")
    return problems


def navigated(root: Path) -> list[str]:
    """Pages that the navigation lacks, or has twice, and those that are not there."""
    text = (root / "mkdocs.yml").read_text(encoding="utf-8")
    _, _, nav = text.partition("\nnav:\n")
    named = Counter(re.findall(r"^ +- (?:.*: )?([\w/.-]+\.md)$", nav, re.MULTILINE))
    there = {str(path.relative_to(root / "docs")) for path in (root / "docs").rglob("*.md")}
    there |= set(site_hooks.TAKEN_IN.values())
    problems = [f"mkdocs.yml: the navigation has no {page}" for page in sorted(there - set(named))]
    problems += [f"mkdocs.yml: there is no {page}" for page in sorted(set(named) - there)]
    return problems + [f"mkdocs.yml: {page} is there twice" for page in named if named[page] > 1]


class Page(HTMLParser):
    """Anchors, links, and what is loaded."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.style = False
        self.feed(text)

    def handle_starttag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        """Called for each element."""
        values = {name: value or "" for name, value in given}
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        self.style = tag == "style"
        if tag in ("a", "area") and "href" in values:
            self.links.append(values["href"])
        if tag == "link" and not QUIET & set(values.get("rel", "").split()):
            self.loads.append(values.get("href", ""))
        for name in LOADS.get(tag, ()):
            taken = values.get(name, "")
            if name == "srcset":
                self.loads += [each.split()[0] for each in taken.split(",") if each.strip()]
            elif taken:
                self.loads.append(taken)
        self.loads += STYLE.findall(values.get("style", ""))

    def handle_data(self, data: str) -> None:
        """Called for what stands between elements."""
        if self.style:
            self.loads += STYLE.findall(data)
            self.style = False


def local(base: Path, target: str, site: Path) -> tuple[Path, str] | None:
    """The file and the anchor that a link leads to; None if it leads out of the site."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return None
    path = unquote(parts.path)
    there = base if not path else (site / path[1:] if path[0] == "/" else base.parent / path)
    there = there.resolve()
    return (there / "index.html" if there.is_dir() else there), unquote(parts.fragment)


def built(site: Path) -> list[str]:
    """What is wrong with a site."""
    site = site.resolve()
    problems: list[str] = []
    rust = site / "rust"
    # The page for what is not found is shown at any address, and so has addresses of its own.
    files = [path for path in sorted(site.rglob("*.html")) if path != site / "404.html"]
    read = {path: Page(path.read_text(encoding="utf-8")) for path in files}
    reached, left = set(), [site / "index.html"]
    while left:
        path = left.pop()
        if path in reached or path not in read or rust in path.parents:
            continue
        reached.add(path)
        for target in read[path].links:
            found = local(path, target, site)
            if found is None:
                continue
            there, anchor = found
            where = f"{path.relative_to(site)}: {target}"
            if not there.exists():
                problems.append(f"{where}: there is no such file")
            elif anchor and there in read and anchor not in read[there].anchors:
                problems.append(f"{where}: the page has no such anchor")
            left.append(there)
    own = {path for path in files if rust not in path.parents}
    problems += [f"{path.relative_to(site)}: no link leads here" for path in sorted(own - reached)]
    loads = [(path, target) for path in files for target in read[path].loads]
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        loads += [(path, target) for target in STYLE.findall(text)]
    for path, target in loads:
        where = f"{path.relative_to(site)}: {target}"
        if target.startswith("data:"):
            continue
        found = local(path, target, site)
        if ELSEWHERE.match(target) or found is None:
            problems.append(f"{where}: is loaded from elsewhere")
        elif not found[0].exists() and path in own:
            problems.append(f"{where}: there is no such file")
    return problems


def self_test() -> None:
    """Fails unless each kind of fault is found, and nothing else is."""
    headings = {"kpca: kernel PCA": "kpca-kernel-pca", "`a` / b, c": "a--b-c"}
    headings["[x](y.md) and z"] = "x-and-z"
    for heading, expected in headings.items():
        if slug(heading) != expected:
            sys.exit(f"self-test: {heading!r} should be {expected!r}, not {slug(heading)!r}")
    text = "# One\n\n[a](b.md#two) `[c](d.md)`\n\n```text\n[e](f.md)\n```\n![g](h.png)\n# One\n"
    if anchors(text) != {"one", "one-1"}:
        sys.exit(f"self-test: anchors {anchors(text)}")
    found = [target for _, line in site_hooks.prose(text) for target in site_hooks.links(line)]
    if found != ["b.md#two", "h.png"]:
        sys.exit(f"self-test: links {found}")
    for source, expected in {
        "a\n- b\n  c\n  - d\n\n  e\n- f": "a\n\n- b\n    c\n    - d\n\n    e\n\n- f",
        "a\n| b |\n|---|\n| c |": "a\n\n| b |\n|---|\n| c |",
        "```rust,ignore\n# hidden\n#[shown]\n```": "```rust\n#[shown]\n```",
        "- a\n  ```sh\n  b\n  ```": "- a\n\n    ```sh\n    b\n    ```",
        "[trust.md](trust.md#laws) `[a](b.md)`": "[trust](trust.md#laws) `[a](b.md)`",
        "[x](../CONTRIBUTING.md) [y](../Makefile)": "[x](contributing.md) y",
    }.items():
        if site_hooks.rendered(source, "scale.md") != expected:
            sys.exit(f"self-test: {source!r} is {site_hooks.rendered(source, 'scale.md')!r}")
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "docs").mkdir()
        (root / "docs" / "a.md").write_text("# A\n\n[b](b.md#b) [no](c.md) [no](b.md#no) [a](#a)\n")
        (root / "docs" / "b.md").write_text("# B\n\n[out](https://example.org)\n")
        if len(written(root)) != 2:
            sys.exit(f"self-test: two links of pages are wrong, not {written(root)}")
        taken = "".join(f"  - {page}\n" for page in site_hooks.TAKEN_IN.values())
        (root / "mkdocs.yml").write_text(f"\nnav:\n  - a.md\n  - X: a.md\n  - Y: c.md\n{taken}")
        if len(navigated(root)) != 3:
            sys.exit(f"self-test: the navigation has three faults, not {navigated(root)}")
        site = root / "site"
        site.mkdir()
        good = '<h1 id="one">x</h1><a href="#one">x</a><a href="b.html#two">x</a>'
        (site / "index.html").write_text(good)
        (site / "b.html").write_text('<p id="two"></p><img src="data:,x">')
        if built(site):
            sys.exit(f"self-test: a good site has faults: {built(site)}")
        for bad in [
            '<a href="no.html">x</a>',
            '<a href="b.html#no">x</a>',
            '<script src="https://example.org/a.js"></script>',
            '<link rel="stylesheet" href="//example.org/a.css">',
            "<style>@import 'https://example.org/a.css';</style>",
            '<p style="background: url(https://example.org/a.png)">x</p>',
            '<img src="no.png">',
        ]:
            (site / "index.html").write_text(good + bad)
            if len(built(site)) != 1:
                sys.exit(f"self-test: {bad} is one fault, not {built(site)}")
        (site / "index.html").write_text(good)
        (site / "orphan.html").write_text("")
        if len(built(site)) != 1:
            sys.exit(f"self-test: a page that nothing leads to is a fault, not {built(site)}")


def main() -> None:
    """Checks, says what was found, and fails if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--site", type=Path, help="a site that was built, instead of the pages")
    parser.add_argument("--self-test", action="store_true", help="test this script instead")
    arguments = parser.parse_args()
    if arguments.self_test:
        self_test()
        print("check_links.py: self-test passed")
        return
    if arguments.site:
        problems = built(arguments.site)
        looked = f"{len(list(arguments.site.rglob('*.html')))} pages of {arguments.site}"
    else:
        problems = written(ROOT) + navigated(ROOT)
        looked = f"{len(pages(ROOT))} pages as they are written"
    for problem in problems:
        print(f"error: {problem}")
    if problems:
        sys.exit(1)
    print(f"links of {looked} lead somewhere")


if __name__ == "__main__":
    main()
