"""The project of a folder, or that its user excluded it. Hot: asked by every hook before it opens any database."""

from __future__ import annotations

import os

from agentrecall_domain.turns.batch import EXCLUDED, Excluded, Project
from agentrecall_domain.turns.project import Alias
from agentrecall_storage.files.exclusions import entries, is_excluded
from agentrecall_storage.files.git import Place, as_text, locate, path_below


class Places:
    """Looks each folder up once: a transcript names the same one on every line.

    *started_in* is the folder that the host was started in, None for what the host says of itself.
    """

    __slots__ = ("_home", "_known", "_started_in")

    def __init__(self, home: str, started_in: str | None = None) -> None:
        self._home = home
        self._started_in = started_in
        self._known: dict[str, Project | Excluded] = {}

    def project_at(self, cwd: str) -> Project | Excluded:
        """The project that *cwd* belongs to, or `EXCLUDED`.

        Raises:
            ExclusionsUnreadableError: See `project_of`.
        """
        known = self._known.get(cwd)
        if known is None:
            known = self._known[cwd] = project_of(self._home, place_at(cwd, self._started_in), cwd)
        return known


def excluded_projects(home: str, projects: list[Project]) -> set[int]:
    """Which of *projects*, by index, their user has excluded.

    Raises:
        ExclusionsUnreadableError: Nobody can say now. What is spooled then waits, where a new capture keeps out.
    """
    entries(home)
    return {
        index
        for index, project in enumerate(projects)
        if is_excluded(home, Place(project.root, [Alias(*alias) for alias in project.aliases]), project.root)
    }


def place_at(cwd: str, started_in: str | None = None) -> Place:
    """The place of *cwd*. Without a repository, a folder below the one that the host was started in belongs to that."""
    place = locate(cwd)
    if started_in is None:
        started_in = os.environ.get("CLAUDE_PROJECT_DIR", "")
    if place.is_repository or not started_in:
        return place
    above = locate(started_in)
    return above if path_below(above.root, place.root) is not None else place


def project_of(home: str, place: Place, cwd: str) -> Project | Excluded:
    """The project at *place*, or `EXCLUDED`.

    Raises:
        ExclusionsUnreadableError: Nobody can say now what is excluded. Then nothing may be captured or recalled, but
            nothing that lasts may follow from it either: a cursor must not move over a turn for that.
    """
    if any(entry.covers(place, cwd) for entry in entries(home)):
        return EXCLUDED
    return Project.at(place.name, as_text(place.root), place.aliases)
