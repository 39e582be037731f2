"""Program output: the lines that a program printed, and those in which somebody called it. Light."""

from __future__ import annotations

from agentrecall_domain.capture import worthiness_words as w


def is_command(line: str) -> bool:
    """Whether *line* calls a program, behind a prompt."""
    if line.startswith(w.COMMAND_STARTS):
        return len(line) > len("$ ")
    first = line.split(" ", 1)[0]
    return "@" in first and ":" in first and first[-1:] in {"$", "#"} and " " in line


def is_output(line: str) -> bool:
    """Whether a program printed *line*: a log's stamp, a trace, a verdict, a place in a file."""
    bare = line.strip()
    if not bare:
        return False
    if bare.startswith(w.LOG_STARTS) or any(word in bare for word in w.LOG_WORDS):
        return True
    first, _, rest = bare.partition(" ")
    return (
        _is_stamp(first)
        or _is_level(first)
        or _is_place(first, rest)
        or _is_verdict(bare, first, rest)
        or _is_drawn(line, bare, first)
    )


def _is_stamp(first: str) -> bool:
    digits = first.strip("[]").replace("/", "-").replace(".", ":")
    date = digits[:10].split("-")
    if len(date) == 3 and all(part[:2].isdigit() for part in date):  # noqa: PLR2004 -- counts words
        return True
    clock = digits[:8].split(":")
    return len(clock) == 3 and all(len(part) == 2 and part.isdigit() for part in clock)  # noqa: PLR2004 -- counts words


def _is_level(first: str) -> bool:
    return first.startswith("[") and first.strip("[]") in {
        "INFO",
        "ERROR",
        "WARN",
        "WARNING",
        "DEBUG",
        "TRACE",
        "FATAL",
    }


def _is_place(first: str, rest: str) -> bool:
    """For example "src/a.ts(12,5): error", "main.rs:44:9: warning", "--> src/main.rs:4:5"."""
    if ":" not in first and "(" not in first:
        return False
    numbered = any(part[:1].isdigit() for part in first.replace("(", ":").split(":")[1:])
    word = rest.lstrip("-: ").split(" ", 1)[0].strip(":").lower()
    named = word.endswith(("error", "exception", "warning")) or word in {
        "note",
        "fatal",
        "info",
        "hint",
        "failed",
        "got",
    }
    return (numbered and named) or (first.endswith(":") and word in {"error", "symbol(s)"} and "/" not in first)


def _is_verdict(bare: str, first: str, rest: str) -> bool:
    """For example "12 passed", "KeyError: 'x'", "Ran 3 tests", "at Foo.bar(Foo.java:3)", "File "x", line 3"."""
    second = rest.split(" ", 1)[0].strip(",.:")
    if first.isdigit() and second in {"passed", "failed", "error", "errors", "warning", "warnings", "test", "tests"}:
        return True
    if first in {"at", "\tat"} and ((rest.endswith(")") and "(" in rest) or rest.rpartition(":")[2].isdigit()):
        return True
    if first == "File" and "line " in rest and '"' in rest:
        return True
    if first == "Exception" and rest.startswith("in thread"):
        return True
    if first == "Ran" and second.isdigit():
        return True
    bare_name = first.rstrip(":")
    named = bare_name.replace(".", "").isalnum() and bare_name.endswith(("Error", "Exception"))
    return (named and (first.endswith(":") or not rest)) or (
        bare.endswith("s") and " in " in bare and bare.rpartition(" in ")[2][:-1].replace(".", "").isdigit()
    )


def _is_drawn(line: str, bare: str, first: str) -> bool:
    """For example a rule of dashes, a table's row, a caret under code."""
    if len(bare) > 4 and len(set(bare)) == 1 and bare[0] in "-=_*":  # noqa: PLR2004 -- counts words
        return True
    if bare.startswith(("===", "^")) or (line[:1] == " " and set(bare) <= {"^", "~", " "}):
        return True
    if first.isdigit() and bare[len(first) :].startswith(" | "):
        return True
    columns = [column for column in bare.split("  ") if column.strip()]
    return len(columns) > 2 and all(" " not in column.strip() for column in columns)  # noqa: PLR2004 -- counts words
