"""Runs one measurement in a process of its own: its time, its peak memory, or why it has none."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from resource import RLIMIT_CPU, RUSAGE_SELF, getrusage, setrlimit
from typing import Any

LIMIT = 300
"""Seconds after which a process is ended."""
PATIENCE = 6
"""Where processor time is limited, a process may wait so many times as long for a busy machine."""

KILOBYTES = 1024 * (1024 if sys.platform == "darwin" else 1)
"""Of ru_maxrss in a megabyte: macOS counts it in bytes."""


@dataclass(frozen=True)
class Run:
    """What came of a process. Without `seconds`, `problem` says why."""

    seconds: float | None = None
    """Of wall time; `details` may have those of the processor."""
    megabytes: float | None = None
    problem: str = ""
    timed_out: bool = False
    refused: bool = False
    """Whether the library itself gave up, as it would again."""
    details: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """The cell of a table."""
        if self.seconds is None or self.megabytes is None:
            return self.problem
        return f"{show_seconds(self.seconds)}, {show_megabytes(self.megabytes)}"


def show_seconds(seconds: float) -> str:
    """Three digits, whatever the size."""
    digits = 3 if seconds < 1 else 2 if seconds < 10 else 1
    return f"{seconds:.{digits}f} s"


def show_megabytes(megabytes: float) -> str:
    """Rounded; what the harness itself uses hides anything smaller."""
    least = getrusage(RUSAGE_SELF).ru_maxrss / KILOBYTES
    return f"{megabytes:,.0f} MB" if megabytes > least + 1 else f"< {least + 1:.0f} MB"


def run(
    command: list[str],
    limit: float = LIMIT,
    processor: int | None = None,
    settings: dict[str, str] | None = None,
) -> Run:
    """Runs `command`, which prints a line of JSON with `seconds` after each repeat or at the end.

    It is ended after `limit` seconds, or after so many of `processor` time, if these are given, and
    has `settings` in its environment.

    Of the repeats that ended in time the best counts. The peak memory is that of the whole
    process: the libraries it loads and the points it reads are part of it. The kernel also counts
    what a child shares with its parent before it becomes the command, so nothing below the peak
    of the harness can be seen, and the harness keeps no data in memory.
    """

    def restrain() -> None:
        if processor is not None:
            # A second more ends it even where it does not heed the first signal.
            setrlimit(RLIMIT_CPU, (processor, processor + 1))

    if processor is not None:
        limit = PATIENCE * processor
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(
            command,
            stdout=out,
            stderr=err,
            start_new_session=True,
            preexec_fn=restrain,
            env={**os.environ, **(settings or {})},
        )
        code, megabytes, late = wait(child, limit)
        out.seek(0)
        err.seek(0)
        lines = parse(out.read().decode(errors="replace"))
        complaint = err.read().decode(errors="replace")
    if late:
        missed = f"> {limit:g} s"
    else:
        missed = f"> {processor} s of processor time" if code == -signal.SIGXCPU else ""
    return judge(lines, code, missed, megabytes, complaint)


def wait(child: subprocess.Popen[bytes], limit: float) -> tuple[int, float, bool]:
    """Waits for a process, or ends it: its exit code, peak memory, and whether it was late."""
    late = threading.Event()

    def end() -> None:
        late.set()
        os.killpg(child.pid, signal.SIGKILL)

    timer = threading.Timer(limit, end)
    timer.start()
    try:
        # Not child.wait(): only wait4 tells what the process has used.
        _, status, usage = os.wait4(child.pid, 0)
    except BaseException:
        os.killpg(child.pid, signal.SIGKILL)
        raise
    finally:
        timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_maxrss / KILOBYTES, late.is_set()


def parse(text: str) -> list[dict[str, Any]]:
    """The lines that are JSON; a library may print others."""
    lines = (line for line in text.splitlines() if line.startswith("{"))
    return [json.loads(line) for line in lines]


def judge(
    lines: list[dict[str, Any]], code: int, late: str, megabytes: float, complaint: str
) -> Run:
    """Makes a result of what a process printed and how it ended; `late` is the limit it missed."""
    times = [line for line in lines if "seconds" in line]
    errors = [line["error"] for line in lines if "error" in line]
    if times and (code == 0 or late):
        # Of equals the last: drivers tell the best until then.
        best = min(reversed(times), key=lambda line: line["seconds"])
        return Run(best["seconds"], megabytes, details=best)
    if late:
        return Run(timed_out=True, problem=late)
    if complaint:
        print(complaint.strip())
    if errors:
        return Run(problem=f"failed: {errors[-1]}", refused=True)
    reason = f"signal {-code}" if code < 0 else f"exit code {code}"
    return Run(problem=f"failed: {reason}")
