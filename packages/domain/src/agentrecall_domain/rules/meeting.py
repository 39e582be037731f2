"""Meeting: whether two rules can ever be told at one place. Light."""

from __future__ import annotations

from agentrecall_domain.rules.scope import DIRECTORY, FILE, LANGUAGE, LANGUAGES, matches, suffix_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from agentrecall_domain.rules.meaning import Told

    class Held(Told, Protocol):
        """A stored rule, as far as its standing and its place decide about it."""

        @property
        def id(self) -> int: ...  # noqa: D102 -- the fields of a rule
        @property
        def status(self) -> str: ...  # noqa: D102
        @property
        def source(self) -> str: ...  # noqa: D102
        @property
        def title(self) -> str: ...  # noqa: D102
        @property
        def project_id(self) -> int | None: ...  # noqa: D102
        @property
        def scope_level(self) -> str: ...  # noqa: D102
        @property
        def scope_value(self) -> str: ...  # noqa: D102
        @property
        def globs(self) -> Sequence[str]: ...  # noqa: D102
        @property
        def languages(self) -> Sequence[str]: ...  # noqa: D102
        @property
        def confidence(self) -> float: ...  # noqa: D102
        @property
        def created_at(self) -> object: ...  # noqa: D102


def can_meet(one: Held, other: Held) -> bool:
    """Whether some piece of work is in the reach of both: one project or none, and files that both may be about."""
    if None not in {one.project_id, other.project_id} and one.project_id != other.project_id:
        return False
    mine, theirs = _places(one), _places(other)
    return not mine or not theirs or any(_overlap(here, there) for here in mine for there in theirs)


def _places(rule: Held) -> list[tuple[str, str]]:
    """Where the rule is about, each place enough; an empty list means anywhere."""
    places = [("glob", glob) for glob in rule.globs] + [(LANGUAGE, language.lower()) for language in rule.languages]
    if rule.scope_level in {FILE, DIRECTORY, LANGUAGE}:
        value = rule.scope_value.lower() if rule.scope_level == LANGUAGE else rule.scope_value.rstrip("/")
        places.append((str(rule.scope_level), value))
    return places


def _overlap(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether a file may lie in both places; yes whenever that cannot be told."""
    (kind, here), (other_kind, there) = sorted((one, other), key=lambda place: _ORDER.index(place[0]))
    if kind == other_kind == DIRECTORY:
        return f"{here}/".startswith(f"{there}/") or f"{there}/".startswith(f"{here}/")
    if kind == other_kind == "glob":
        return not _suffixes_differ(suffix_of(here), suffix_of(there))
    if kind == other_kind:
        return here == there
    if kind == FILE:
        return _lies_in(here, other_kind, there)
    return kind != LANGUAGE or LANGUAGES.get(suffix_of(there), here) == here


def _lies_in(path: str, kind: str, place: str) -> bool:
    if kind == DIRECTORY:
        return path.startswith(f"{place}/")
    return matches(place, path) if kind == "glob" else LANGUAGES.get(suffix_of(path), place) == place


_ORDER = (FILE, DIRECTORY, LANGUAGE, "glob")


def _suffixes_differ(one: str, other: str) -> bool:
    return bool(one and other) and one != other and not any(mark in one + other for mark in "*?[]")
