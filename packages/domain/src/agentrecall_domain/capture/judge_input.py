"""Judge input: what a judge is shown of one finished turn, bounded, with the rules that it may name. Light."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from agentrecall_domain.recall.moments import explain, search_query
from agentrecall_domain.rules.status import WAITING
from agentrecall_domain.turns.identity import squeezed

if TYPE_CHECKING:
    from agentrecall_domain.recall.moments import RecallStore
    from agentrecall_domain.rules.rule import Rule

MOST_RULES = 12
LONGEST_SUMMARY = 1_000
"""Characters shown of the agent's last words: how the turn ended is said at their beginning and at their end."""
LONGEST_PROMPT = 20_000
GAP = "\n...\n"


class JudgeInputStore(Protocol):
    """The queries that a judge's input needs."""

    def find_rule(self, rule_id: int) -> Rule | None:
        """The rule with this id, or None."""

    def list_rules(self, *, project_id: int | None, everywhere: bool, statuses: tuple[str, ...] = ...) -> list[Rule]:
        """Rules of the project and global ones, newest first."""


class FinishedTurn(NamedTuple):
    """The turn that is to be judged, as far as the memory knows it.

    *said* are the user's texts, *answered* the agent's, both in order. *shown* are the rules put before the agent in
    it, each with its injection. *accepted* is what the caller said of it.
    """

    turn_id: str
    session_id: str
    said: list[str]
    answered: list[str]
    shown: list[tuple[int, int]]
    accepted: bool | None = None


def judge_input(
    store: JudgeInputStore, recall: RecallStore, turn: FinishedTurn, project: tuple[int | None, str]
) -> dict[str, Any]:
    """What there is to judge, as JSON; *project* is the turn's project: its id (None: not met yet) and its name."""
    project_id, name = project
    prompt = bounded("\n\n".join(distinct(turn.said)), LONGEST_PROMPT)
    answer = turn.answered[-1] if turn.answered else ""
    return {
        "turn_id": turn.turn_id,
        "session_id": turn.session_id,
        "project": name,
        "prompt": prompt,
        "assistant_summary": bounded(answer, LONGEST_SUMMARY),
        "accepted": turn.accepted,
        "rules": _relevant(store, recall, f"{prompt}\n{answer}", project_id),
        "waiting": [
            _rule(rule)
            for rule in store.list_rules(project_id=project_id, everywhere=False, statuses=WAITING)
            if turn.session_id and rule.session_uid == turn.session_id
        ],
        "injected": [{"rule": f"R{rule}", "injection": f"I{injection}"} for rule, injection in turn.shown],
    }


def bounded(text: str, most: int) -> str:
    """*text* in at most *most* characters: its beginning and its end."""
    if len(text) <= most:
        return text
    half = (most - len(GAP)) // 2
    return f"{text[:half]}{GAP}{text[-half:]}"


def distinct(texts: list[str]) -> list[str]:
    """*texts* without what an earlier one says already: recall-hook and the transcript both hear a prompt."""
    found: list[str] = []
    known: list[str] = []
    for text in texts:
        plain = squeezed(text)
        if plain and not any(plain in other for other in known):
            found.append(text)
            known.append(plain)
    return found


def _relevant(store: JudgeInputStore, recall: RecallStore, text: str, project_id: int | None) -> list[dict[str, Any]]:
    """The rules that the turn calls up, by the ranking that decides what an agent is given."""
    query = search_query(recall, text)
    if not query.terms:
        return []
    ranked, floor = explain(recall, query, project_id)
    named = [one.candidate.id for one in ranked if one.evidence >= floor][:MOST_RULES]
    found = [store.find_rule(rule_id) for rule_id in named]
    return [_rule(rule) for rule in found if rule is not None]


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.label,
        "title": rule.title,
        "category": rule.category.value,
        "status": rule.status.value,
        "when": rule.trigger,
        "do": rule.action,
    }
