"""The moments of recall: session start, prompt, a file read or edited. One use case each, one ranking for all. Hot."""

from __future__ import annotations

from agentrecall_domain.recall.gate import why_skipped
from agentrecall_domain.recall.injection import Asked, Injection
from agentrecall_domain.recall.packing import MUST_FOLLOW, Shown, pack, within
from agentrecall_domain.recall.ranking import FILE_FLOOR, FLOOR, Query, Ranked, rank, weigh_concepts, word_weights
from agentrecall_domain.recall.rendering import FULL, line
from agentrecall_domain.rules.precedence import precedence
from agentrecall_domain.rules.rule_vector import MOST_ASKED, tokens
from agentrecall_domain.rules.scope import path_keys
from agentrecall_domain.rules.status import PENDING
from agentrecall_domain.text.concept_vector import vector
from agentrecall_domain.text.token_estimate import tokens as cost_of
from agentrecall_domain.text.tokenizer import words_and_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from agentrecall_domain.recall.candidate import Candidate
    from agentrecall_domain.text.concept_vector import ConceptStore, Known

    class RecallStore(Protocol):
        """The queries that recall needs. *project_id* None asks for global memory alone."""

        def matching_rules(self, terms: list[str], project_id: int | None, most: int) -> list[Candidate]: ...
        def standing_rules(self, project_id: int | None) -> list[Candidate]: ...
        def scoped_rules(self, keys: list[str], project_id: int | None, most: int) -> list[Candidate]: ...
        def conflicts_of(self, rule_id: int) -> list[int]: ...
        def newest_rule(self) -> int: ...
        def rules_with(self, terms: list[str]) -> dict[str, int]: ...
        @property
        def concepts(self) -> ConceptStore: ...
        def number(self, key: str, default: float) -> float: ...
        def shown_in_window(self, session_uid: str, agent_id: str) -> list[tuple[int, str]]: ...


MOST_TERMS = 200
MOST_FETCHED = 40
"""So many words, the rarest, fetch candidates; all of them score."""
ALWAYS_FETCHED = 3
COMMON_FROM = 30
"""In a small memory no word is too common to fetch by."""
LONGEST_QUERY = 20_000
"""Characters of a prompt that recall looks at: its beginning and its end, where people put what they want."""
MOST_SENTENCES, SHORTEST_SENTENCE, LONGEST_INTRODUCTION = 4, 2, 1000
"""People say what they want in the first sentences; a log or code that follows is looked at as a whole."""
LEAST_SAID = 6.0
"""What a query says at least in concepts before its vector is taken at its full length."""
MOST_SETTLED = 12
"""More rules than are ever shown need not be settled."""
MOST_CANDIDATES = 40
CAPS = {"prompt": ("prompt_max_rules", 5), "read": ("edit_max_rules", 5), "edit": ("edit_max_rules", 5)}
DEFAULT_BUDGET = 1500
DEFAULT_STANDING = 20


def at_start(store: RecallStore, asked: Asked, project_id: int | None) -> Injection:
    """The standing rules in scope, in an order that only the memory decides: the project's own first, then global."""
    rules = [rule for rule in store.standing_rules(project_id) if rule.status != PENDING]
    rules.sort(key=lambda rule: (not rule.pinned, rule.project_id is None, -rule.confidence, rule.id))
    most = int(store.number("start_max_standing", DEFAULT_STANDING))
    shown = [Shown(rule, MUST_FOLLOW, FULL, rule.confidence) for rule in rules[:most]]
    budget = int(store.number("start_token_budget", DEFAULT_BUDGET))
    return _injection(asked, project_id, within(shown, budget))


def at_prompt(store: RecallStore, asked: Asked, project_id: int | None) -> Injection:
    """The rules that the prompt calls up, unless it is a system turn or says too little."""
    skipped = why_skipped(asked.query, int(store.number("substance_floor", 5)))
    if skipped:
        return Injection(asked, project_id=project_id, shown=[], skipped=skipped, tokens=0)
    return _recall(store, asked, project_id, search_query(store, asked.query), fresh_in_turn=False)


def at_file(store: RecallStore, asked: Asked, project_id: int | None, path: str) -> Injection:
    """The rules of the file at *path* (relative to its project); at an edit, those that the new text calls up too.

    What this turn has been shown already is left out.
    """
    named = words_and_terms(path)
    written = words_and_terms(_ends(asked.query) if asked.moment == "edit" else "")
    path_terms, words = _distinct(named[1]), _distinct(written[1])
    about = vector([(named, 1.0), (written, 1.0)], store.concepts)
    query = Query([*path_terms, *(word for word in words if word not in path_terms)], path, path_terms, about)
    return _recall(store, asked, project_id, query, fresh_in_turn=True)


def explain(store: RecallStore, query: Query, project_id: int | None) -> tuple[list[Ranked], float]:
    """Every candidate for *query* with its signals, best first, and the floor under which none is shown."""
    concepts = tokens(query.vector, MOST_ASKED)
    weights_of = store.rules_with([*query.terms, *concepts])
    documents = store.newest_rule()
    weights = word_weights(query, documents, weights_of)
    weigh_concepts(query, documents, {int(token[2:]): weights_of[token] for token in concepts if token in weights_of})
    fetching = _fetching(weights, weights_of, documents)
    # A concept that many rules share fetches none of them, as a common word does.
    fetching += _fetching({token: 1.0 for token in concepts if token in weights_of}, weights_of, documents)
    candidates = store.matching_rules(fetching, project_id, MOST_CANDIDATES) if fetching else []
    if query.path:
        known = {candidate.id for candidate in candidates}
        scoped = store.scoped_rules(path_keys(query.path), project_id, MOST_CANDIDATES)
        candidates += [candidate for candidate in scoped if candidate.id not in known]
    floor = store.number("rule_floor", FLOOR)
    return rank(candidates, query, weights, documents), floor * FILE_FLOOR if query.path else floor


def _fetching(weights: dict[str, float], rules_with: dict[str, int], documents: int) -> list[str]:
    """The words that candidates are fetched by: the rare ones, and the three rarest however common they are.

    A word that a twentieth of all rules have costs the most to look up and says the least; it still scores.
    """
    rarest = sorted(weights, key=lambda term: (rules_with[term], term))[:MOST_FETCHED]
    common = max(COMMON_FROM, documents // 20)
    return [term for place, term in enumerate(rarest) if place < ALWAYS_FETCHED or rules_with[term] < common]


def search_query(store: RecallStore, text: str) -> Query:
    """The query for *text* as a person or a prompt puts it."""
    said = words_and_terms(_ends(text))
    known: Known = {}
    about = vector([(said, 1.0)], store.concepts, LEAST_SAID, known)
    return Query(_distinct(said[1]), vector=about, sentences=_sentences(text, store.concepts, known))


def _sentences(text: str, concepts: ConceptStore, known: Known) -> list[dict[int, float]]:
    """The vectors of the first sentences of *text*, when there is more than one that says something."""
    parts = text[:LONGEST_INTRODUCTION].replace("\n", ". ").replace("? ", ". ").replace("! ", ". ").split(". ")
    said = [words_and_terms(part) for part in parts]
    telling = [one for one in said if len(one[1]) >= SHORTEST_SENTENCE][:MOST_SENTENCES]
    return [vector([(one, 1.0)], concepts, LEAST_SAID, known) for one in telling] if len(telling) > 1 else []


def _recall(
    store: RecallStore, asked: Asked, project_id: int | None, query: Query, *, fresh_in_turn: bool
) -> Injection:
    if not query.terms:
        return Injection(asked, project_id=project_id, shown=[], skipped="no words", tokens=0)
    ranked, floor = explain(store, query, project_id)
    shown_before = store.shown_in_window(asked.session_uid, asked.agent_id)
    this_turn = {rule_id for rule_id, prompt_id in shown_before if fresh_in_turn and prompt_id == asked.prompt_id}
    times_shown: dict[int, int] = {}
    for rule_id, _ in shown_before:
        times_shown[rule_id] = times_shown.get(rule_id, 0) + 1
    wanted = [
        one
        for one in ranked
        if one.evidence >= floor
        and one.candidate.id not in this_turn
        # Standing rules were given at session start.
        and not (one.candidate.always_apply and asked.moment == "prompt" and one.candidate.id in times_shown)
    ]
    cap, default = CAPS[asked.moment]
    shown = pack(
        settled(store, wanted),
        most=int(store.number(cap, default)),
        most_pending=int(store.number("pending_shown", 1)),
        token_budget=int(store.number("prompt_token_budget", DEFAULT_BUDGET)),
        times_shown=times_shown,
        reminder_every=int(store.number("reminder_every", 6)),
    )
    return _injection(asked, project_id, shown)


def settled(store: RecallStore, wanted: list[Ranked]) -> list[Ranked]:
    """*wanted* without those that a rule of greater precedence among the first of them contradicts.

    A rule that waits takes nobody's place.
    """
    first = wanted[:MOST_SETTLED]
    there = {one.candidate.id: one.candidate for one in first}
    losers = set()
    for one in first:
        rule = one.candidate
        for other in (there[rule_id] for rule_id in store.conflicts_of(rule.id) if rule_id in there):
            if (other.status != PENDING, precedence(other)) > (rule.status != PENDING, precedence(rule)):
                losers.add(rule.id)
    return [one for one in wanted if one.candidate.id not in losers]


def _injection(asked: Asked, project_id: int | None, shown: list[Shown]) -> Injection:
    cost = sum(cost_of(line(one.candidate, one.detail)) + 2 for one in shown)
    return Injection(asked, project_id=project_id, shown=shown, skipped="", tokens=cost)


def _ends(text: str) -> str:
    half = LONGEST_QUERY // 2
    return text if len(text) <= LONGEST_QUERY else f"{text[:half]} {text[-half:]}"


def _distinct(spoken: list[str]) -> list[str]:
    """The distinct ones of *spoken*; of too many those at the beginning and at the end."""
    distinct = list(dict.fromkeys(spoken))
    if len(distinct) <= MOST_TERMS:
        return distinct
    last = list(dict.fromkeys(reversed(spoken)))[: MOST_TERMS // 2]
    return list(dict.fromkeys([*distinct[: MOST_TERMS // 2], *last]))
