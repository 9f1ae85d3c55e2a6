"""Files are written whole or not at all, where they belong, as the command line does it."""

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from xml.etree import ElementTree

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

import nrdr

mpl.use("agg")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices of Unix")


@pytest.fixture(scope="module")
def coordinates(roll):
    return roll[0][:100]


def test_devices_and_pipes_are_refused_and_stay(coordinates, tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to("/dev/full")
    for path in ("/dev/full", "/dev/null", pipe, link):
        before = os.stat(path)
        with pytest.raises(OSError, match="is a device or a pipe: give the name") as raised:
            nrdr.report(coordinates, path)
        assert raised.value.errno == errno.EINVAL and raised.value.filename == str(path)
        assert os.stat(path).st_rdev == before.st_rdev and os.stat(path).st_mode == before.st_mode
    assert link.is_symlink() and sorted(tmp_path.iterdir()) == [link, pipe]


def test_links_stay_and_lead_to_the_page(coordinates, tmp_path):
    far = tmp_path / "far"
    far.mkdir()
    (far / "old.html").write_text("old")
    for name in ("old.html", "new.html"):
        link = tmp_path / name
        link.symlink_to(f"far/{name}")
        assert nrdr.report(coordinates, link) == link
        assert link.is_symlink() and (far / name).read_text().endswith("</html>\n")
    assert len(list(far.iterdir())) == 2


def test_errors_have_number_and_name(coordinates, tmp_path):
    with pytest.raises(IsADirectoryError, match="is a folder") as raised:
        nrdr.report(coordinates, tmp_path)
    assert raised.value.errno == errno.EISDIR and raised.value.filename == str(tmp_path)
    missing = tmp_path / "none" / "page.html"
    with pytest.raises(FileNotFoundError, match="make the folder first") as raised:
        nrdr.report(coordinates, missing)
    assert raised.value.errno == errno.ENOENT and raised.value.filename == str(missing)
    page = tmp_path / "page.html"
    page.write_text("old")
    page.chmod(0o444)
    with pytest.raises(PermissionError, match="is read-only: make it writable"):
        nrdr.report(coordinates, page)
    assert page.read_text() == "old"
    hostile = tmp_path / "a\x1b[2J\nb" / "page.html"
    with pytest.raises(FileNotFoundError) as raised:
        nrdr.report(coordinates, hostile)
    assert str(raised.value).isprintable()
    assert list(tmp_path.iterdir()) == [page]


def test_permissions_are_kept(coordinates, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("old")
    for mode in (0o600, 0o640, 0o666):
        page.chmod(mode)
        nrdr.report(coordinates, page)
        assert stat.S_IMODE(page.stat().st_mode) == mode
    plain = tmp_path / "plain"
    plain.touch()
    fresh = nrdr.report(coordinates, tmp_path / "fresh.html")
    assert fresh.stat().st_mode == plain.stat().st_mode


def test_a_page_that_does_not_fit_leaves_the_old_one(coordinates, tmp_path):
    resource = pytest.importorskip("resource")
    page = tmp_path / "page.html"
    page.write_text("old")
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limit[1]))
    try:
        with pytest.raises(OSError, match="is larger than a file may be here") as raised:
            nrdr.report(coordinates, page)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, before)
    assert raised.value.errno == errno.EFBIG
    assert page.read_text() == "old" and list(tmp_path.iterdir()) == [page]


def test_what_was_killed_leaves_whole_pages_and_is_swept(tmp_path):
    """Ends a process that writes pages at random moments, some of them in the middle of one."""
    script = (
        "import nrdr, sys; X = nrdr.datasets.make_strip(50)[0]; print(flush=True)\n"
        "while True: nrdr.report(X, sys.argv[1])"
    )
    page, random = tmp_path / "page.html", np.random.default_rng(0)
    for _ in range(3 * int(os.environ.get("NRDR_SOAK", "1"))):
        command = [sys.executable, "-c", script, page]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(random.uniform(0.05, 0.3))
            process.kill()
        assert not page.exists() or page.read_text().endswith("</html>\n")
    (tmp_path / ".nrdr-dead00.tmp").touch()
    nrdr.report(np.eye(20)[:, :3], page)
    assert list(tmp_path.iterdir()) == [page]


def test_hostile_labels_in_pictures(coordinates, tmp_path):
    labels = ["a\x1b[2J\x00b", "<&>\"'", "$\\frac", "a\u202e\ufffeb", "x" * 80]
    ax = nrdr.plot.embedding(coordinates, [labels[i % 5] for i in range(100)])
    for kind in ("none", "path"):
        with mpl.rc_context({"svg.fonttype": kind}):
            ax.figure.savefig(tmp_path / "plot.svg")
        ElementTree.parse(tmp_path / "plot.svg")
    plt.close("all")
