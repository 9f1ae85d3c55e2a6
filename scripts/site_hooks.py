"""What the site does to the pages before they are rendered: see mkdocs.yml.

Pages are written for forges, which read Markdown as CommonMark does; Python-Markdown wants blank
lines before lists and tables, and four blanks for what is inside a list. Examples in Rust lose the
lines that rustdoc hides. Pages of the root become pages of the site, and links follow them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

#: Pages that are not in docs, and what they are called on the site.
TAKEN_IN = {
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "fuzz/README.md": "fuzzers.md",
}
#: Pages that another one stands for.
STANDS_FOR = {"README.md": "index.md"}

FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")
ITEM = re.compile(r"^ *(?:[-*+]|\d+\.) ")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(`+).+?(?<!`)\1(?!`)")


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Changes what stands between spans of code."""
    parts, last = [], 0
    for span in CODE.finditer(text):
        parts += [change(text[last : span.start()]), span.group()]
        last = span.end()
    return "".join([*parts, change(text[last:])])


def links(line: str) -> list[str]:
    """The targets of all links and pictures of a line, spans of code left out."""
    return [match.group(3) for match in LINK.finditer(CODE.sub("`code`", line))]


def prose(text: str) -> list[tuple[int, str]]:
    """The lines that are in no fence, with their numbers from 1."""
    found, closing = [], None
    for number, line in enumerate(text.split("\n"), 1):
        fence = FENCE.match(line)
        if closing is None and fence:
            closing = fence.group(2)
        elif closing is None:
            found.append((number, line))
        elif fence and fence.group(2).startswith(closing) and not fence.group(3).strip():
            closing = None
    return found


def page_of(path: str) -> str | None:
    """The page of the site that a file of the repository is, as a path below docs."""
    if path in TAKEN_IN or path in STANDS_FOR:
        return TAKEN_IN.get(path) or STANDS_FOR[path]
    if path.startswith("docs/") and (ROOT / path).is_file():
        return path.removeprefix("docs/")
    return None


def source_of(page: str) -> str:
    """The file of the repository that a page of the site is made of."""
    for path, name in TAKEN_IN.items():
        if name == page:
            return path
    return f"docs/{page}"


def followed(match: re.Match[str], page: str) -> str:
    """A link on a page of the site; of a file that is not on the site only the words stay."""
    picture, words, target = match.groups()
    if re.match(r"[a-z]+:|#", target):
        return match.group()
    path, hash, anchor = target.partition("#")
    place = PurePosixPath(source_of(page)).parent
    there = page_of(normpath(str(place / path)))
    if there is None:
        return words
    if re.fullmatch(r"[\w/-]+\.md", words):
        # Names of files are for forges.
        named = PurePosixPath(words)
        words = named.parent.name if named.stem == "README" else named.stem
        words = words.replace("-", " ").replace("_", " ")
    return f"{picture}[{words}]({relpath(there, PurePosixPath(page).parent)}{hash}{anchor})"


def deeper(line: str) -> str:
    """A line within a list, with four blanks a level instead of two or three."""
    blanks = len(line) - len(line.lstrip(" "))
    return " " * (4 * ((blanks + 1) // 2)) + line.lstrip(" ") if blanks >= 2 else line


def rendered(text: str, page: str) -> str:
    """Markdown as it is written, for Python-Markdown."""
    done: list[str] = []
    closing = language = None
    shift = 0
    source = text.split("\n")
    for number, line in enumerate(source):
        fence = FENCE.match(line)
        if closing is not None:
            if fence and fence.group(2).startswith(closing) and not fence.group(3).strip():
                closing = None
            elif language == "rust" and (line.strip() == "#" or line.lstrip().startswith("# ")):
                continue
            done.append(" " * shift + line)
            continue
        before = done[-1] if done else ""
        if fence:
            blanks, closing, info = fence.groups()
            language = info.strip().split(",")[0].split(" ")[0]
            shift = len(deeper(blanks + "x")) - 1 - len(blanks)
            if before.strip():
                done.append("")
            done.append(f"{' ' * shift}{blanks}{closing}{language}")
            continue
        if re.fullmatch(r"<!--.*-->", line):
            # Marks of what is generated. The table behind it begins a block.
            done.append("")
            continue
        if before.strip():
            after = source[number + 1] if number + 1 < len(source) else ""
            table = line.startswith("|") and re.fullmatch(r"\|[-:| ]+\|?", after)
            blank = next(
                (place for place, each in enumerate(done[::-1]) if not each.strip()), len(done)
            )
            begins = ITEM.match(line) and not line.startswith(" ")
            if table or (begins and not ITEM.match(done[-blank])):
                done.append("")
        line = outside_code(line, lambda part: LINK.sub(lambda m: followed(m, page), part))
        done.append(deeper(line))
    return "\n".join(done)


def version() -> str:
    """That of the workspace."""
    return tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def on_config(config: Any) -> Any:
    """Tells the version on every page."""
    config.copyright = f"nrdr {version()}. MIT or Apache 2.0."
    return config


def on_files(files: Any, config: Any) -> Any:
    """Takes in the pages of the root."""
    from mkdocs.structure.files import File

    for path, name in TAKEN_IN.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called for each page."""
    return rendered(markdown, page.file.src_uri)
