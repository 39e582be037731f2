"""The moments of recall: session start, prompt, a file read or edited. One use case each, one ranking for all. Hot."""

from __future__ import annotations

from agentrecall_domain.recall.fetching import fetching, rarest_of
from agentrecall_domain.recall.gate import SUBSTANCE_FLOOR, why_skipped
from agentrecall_domain.recall.injection import Asked, Injection
from agentrecall_domain.recall.packing import (
    CONTRADICTS,
    GIVEN_AT_START,
    MOST_PENDING,
    MUST_FOLLOW,
    NOT_APPROVED,
    OF_ANOTHER_FILE,
    REMINDER_EVERY,
    SHOWN_IN_TURN,
    TOO_MANY,
    UNDER_FLOOR,
    Room,
    Shown,
    pack,
    within,
)
from agentrecall_domain.recall.ranking import (
    FILE_FLOOR,
    FLOOR,
    SPELT,
    Query,
    Ranked,
    rank,
    weigh_concepts,
    word_weights,
)
from agentrecall_domain.recall.rendering import FULL, line, note_line
from agentrecall_domain.rules.precedence import precedence
from agentrecall_domain.rules.rule_vector import MOST_ASKED, tokens
from agentrecall_domain.rules.scope import names_files, path_keys
from agentrecall_domain.rules.status import PENDING
from agentrecall_domain.text.concept_vector import vector
from agentrecall_domain.text.token_estimate import tokens as cost_of
from agentrecall_domain.text.tokenizer import words_and_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from agentrecall_domain.recall.candidate import Candidate
    from agentrecall_domain.recall.notes import NoteQueries, NoteRecall
    from agentrecall_domain.recall.packing import Lost
    from agentrecall_domain.recall.semantic_track import SemanticTrack
    from agentrecall_domain.text.concept_vector import ConceptStore, Known, Said

    class RecallStore(Protocol):
        """The queries that recall needs. *project_id* None asks for global memory alone."""

        def matching_rules(
            self, terms: list[str], project_id: int | None, most: int, among: list[str] | None = None
        ) -> list[Candidate]: ...
        def standing_rules(self, project_id: int | None) -> list[Candidate]: ...
        def scoped_rules(self, keys: list[str], project_id: int | None, most: int) -> list[Candidate]: ...
        def conflicts_of(self, rule_id: int) -> list[int]: ...
        def newest_rule(self) -> int: ...
        def newest_note(self) -> int: ...
        def rules_with(self, terms: list[str]) -> dict[str, int]: ...
        def words_from(self, beginning: str, most: int) -> dict[str, int]: ...
        def words_among(self, forms: list[str]) -> dict[str, int]: ...
        @property
        def concepts(self) -> ConceptStore: ...
        def number(self, key: str, default: float) -> float: ...
        def setting(self, key: str, default: str) -> str: ...
        def shown_in_window(self, session_uid: str, agent_id: str, kind: str = ...) -> list[tuple[int, str]]: ...
        @property
        def notes(self) -> NoteQueries: ...


RULE, NOTE = "rule", "note"
MOST_TERMS = 200
LONGEST_QUERY = 20_000
"""Characters of a prompt that recall looks at: its beginning and its end, where people put what they want."""
LONG = 1_200
"""Characters of a prompt that is no longer a question alone: notes are found by its two ends."""
MOST_SENTENCES, SHORTEST_SENTENCE, LONGEST_INTRODUCTION = 4, 2, 1000
"""People say what they want in the first sentences; a log or code that follows is looked at as a whole."""
SPELT_AMONG = 100
"""So many words at the beginning of a query may be misspelt: about a thousand characters."""
LEAST_SAID = 4.5
"""What a query says at least in concepts before its vector is taken at its full length."""
MOST_SETTLED = 12
"""More rules than are ever shown need not be settled."""
MOST_CANDIDATES = 40
CAPS = {"prompt": ("prompt_max_rules", 5), "read": ("edit_max_rules", 5), "edit": ("edit_max_rules", 5)}
DEFAULT_BUDGET = 1500
DEFAULT_STANDING = 20


class Trace:
    """What a recall looked at: its query, every candidate, best first, and why each that is not shown lost.

    It is kept on every path, so that an explanation tells what was decided and decides nothing itself.
    """

    __slots__ = ("floor", "lost", "notes", "query", "ranked")

    def __init__(self) -> None:
        self.notes: NoteRecall | None = None
        self.query: Query | None = None
        self.floor = 0.0
        self.ranked: list[Ranked] = []
        self.lost: Lost = {}


def at_start(store: RecallStore, asked: Asked, project_id: int | None, trace: Trace | None = None) -> Injection:
    """The standing rules in scope and the weightiest notes, in an order that only the memory decides.

    The project's own come first, then global ones.
    """
    trace = Trace() if trace is None else trace
    trace.ranked = [_standing(rule) for rule in store.standing_rules(project_id)]
    trace.ranked.sort(key=lambda one: _place_at_start(one.candidate))
    most = int(store.number("start_max_standing", DEFAULT_STANDING))
    shown: list[Shown] = []
    for one in trace.ranked:
        rule = one.candidate
        if rule.status == PENDING:
            trace.lost[rule.id] = NOT_APPROVED, 0
        elif len(shown) >= most:
            trace.lost[rule.id] = TOO_MANY, most
        else:
            shown.append(Shown(rule, MUST_FOLLOW, FULL, rule.confidence))
    budget = int(store.number("start_token_budget", DEFAULT_BUDGET))
    rules = within(shown, budget, trace.lost)
    if store.newest_note():
        from agentrecall_domain.recall.notes import notes_at_start  # noqa: PLC0415 -- where there are notes

        trace.notes = notes_at_start(store, project_id, _left(budget, rules), asked.at)
    return _injection(asked, project_id, rules, trace.notes)


def _standing(rule: Candidate) -> Ranked:
    one = Ranked(rule)
    one.score = rule.confidence
    return one


def _place_at_start(rule: Candidate) -> tuple[bool, bool, float, int]:
    return not rule.pinned, rule.project_id is None, -rule.confidence, rule.id


def at_prompt(store: RecallStore, asked: Asked, project_id: int | None, trace: Trace | None = None) -> Injection:
    """The rules and notes that the prompt calls up, unless it is a system turn or says too little."""
    skipped = why_skipped(asked.query, int(store.number("substance_floor", SUBSTANCE_FLOOR)))
    if skipped:
        return Injection(asked, project_id=project_id, shown=[], skipped=skipped, tokens=0)
    return for_text(store, asked, project_id, trace)


def for_text(
    store: RecallStore,
    asked: Asked,
    project_id: int | None,
    trace: Trace | None = None,
    most: int | None = None,
    *,
    semantic: SemanticTrack | None = None,
) -> Injection:
    """What a text calls up as a prompt would, however little it says; *most* rules in place of a prompt's cap.

    *semantic* is what a provider's vectors say of the notes: hooks have none.
    """
    trace = Trace() if trace is None else trace
    query = search_query(store, asked.query)
    # What a long paste says drowns what is asked of it, before it or after it.
    about_notes = query.copy() if len(asked.query) < LONG else search_query(store, _ends(asked.query, LONG))
    injection = _recall(store, asked, project_id, query, trace, fresh_in_turn=False, most=most)
    if injection.skipped or not store.newest_note():
        return injection
    from agentrecall_domain.recall.notes import notes_for  # noqa: PLC0415 -- where there are notes

    room = _left(int(store.number("prompt_token_budget", DEFAULT_BUDGET)), injection.shown)
    times_shown = _times(store.shown_in_window(asked.session_uid, asked.agent_id, NOTE))
    trace.notes = notes_for(
        store, asked, about_notes, project_id, room=room, times_shown=times_shown, semantic=semantic
    )
    return _injection(asked, project_id, injection.shown, trace.notes)


def at_file(
    store: RecallStore, asked: Asked, project_id: int | None, path: str, trace: Trace | None = None
) -> Injection:
    """The rules of the file at *path* (relative to its project); at an edit, those that the new text calls up too.

    What this turn has been shown already is left out.
    """
    named = words_and_terms(path)
    written = words_and_terms(_ends(asked.query) if asked.moment == "edit" else "")
    path_terms, words = _distinct(named[1]), _distinct(written[1])
    about = vector([(named, 1.0), (written, 1.0)], store.concepts)
    query = Query([*path_terms, *(word for word in words if word not in path_terms)], path, path_terms, about)
    return _recall(store, asked, project_id, query, trace, fresh_in_turn=True)


def explain(store: RecallStore, query: Query, project_id: int | None) -> tuple[list[Ranked], float]:
    """Every candidate for *query* with its signals, best first, and the floor under which none is shown."""
    concepts = tokens(query.vector, MOST_ASKED)
    weights_of = store.rules_with([*query.terms, *concepts])
    documents = store.newest_rule()
    weights = word_weights(query, documents, weights_of)
    weigh_concepts(query, documents, {int(token[2:]): weights_of[token] for token in concepts if token in weights_of})
    words = fetching(weights, weights_of, documents)
    # A concept that many rules share fetches none of them, as a common word does.
    about = fetching({token: 1.0 for token in concepts if token in weights_of}, weights_of, documents)
    among = [*rarest_of(words, weights_of), *rarest_of(about, weights_of)]
    candidates = store.matching_rules([*words, *about], project_id, MOST_CANDIDATES, among) if among else []
    if query.path:
        known = {candidate.id for candidate in candidates}
        scoped = store.scoped_rules(path_keys(query.path), project_id, MOST_CANDIDATES)
        candidates += [candidate for candidate in scoped if candidate.id not in known]
    floor = store.number("rule_floor", FLOOR)
    return rank(candidates, query, weights, documents), floor * FILE_FLOOR if query.path else floor


def search_query(store: RecallStore, text: str) -> Query:
    """The query for *text* as a person or a prompt puts it."""
    said = words_and_terms(_ends(text))
    known: Known = {}
    about = vector([(said, 1.0)], store.concepts, LEAST_SAID, known)
    terms = _distinct(said[1])
    meant = _meant(store, terms, known)
    if meant:
        about = vector(_as_meant(said, meant), store.concepts, LEAST_SAID, known)
    sentences = _sentences(text, store.concepts, known, meant)
    return Query(terms, vector=about, sentences=sentences, meant=list(meant.values()))


def _meant(store: RecallStore, terms: list[str], known: Known) -> dict[str, str]:
    """The misspelt ones of *terms*, each with what it stands for. Only words of no concept may be misspelt."""
    strange = [term for term in terms[:SPELT_AMONG] if known.get(term) == ([], [])]
    if not strange:
        return {}
    from agentrecall_domain.recall.spelling import meant_by  # noqa: PLC0415 -- most prompts have no use for it

    return meant_by(strange, store)


def _as_meant(said: Said, meant: dict[str, str]) -> list[tuple[Said, float]]:
    """The parts of a text: what was said, and what was meant by its misspelt words."""
    words = [meant[term] for term in said[1] if term in meant]
    return [(said, 1.0), ((words, words), SPELT)]


def _sentences(text: str, concepts: ConceptStore, known: Known, meant: dict[str, str]) -> list[dict[int, float]]:
    """The vectors of the first sentences of *text*, when there is more than one that says something."""
    parts = text[:LONGEST_INTRODUCTION].replace("\n", ". ").replace("? ", ". ").replace("! ", ". ").split(". ")
    said = [words_and_terms(part) for part in parts]
    telling = [one for one in said if len(one[1]) >= SHORTEST_SENTENCE][:MOST_SENTENCES]
    if len(telling) < 2:  # noqa: PLR2004 -- the whole text is one sentence
        return []
    return [vector(_as_meant(one, meant), concepts, LEAST_SAID, known) for one in telling]


def _recall(
    store: RecallStore,
    asked: Asked,
    project_id: int | None,
    query: Query,
    trace: Trace | None,
    *,
    fresh_in_turn: bool,
    most: int | None = None,
) -> Injection:
    if not query.terms:
        return Injection(asked, project_id=project_id, shown=[], skipped="no words", tokens=0)
    trace = Trace() if trace is None else trace
    trace.query = query
    trace.ranked, trace.floor = explain(store, query, project_id)
    shown_before = store.shown_in_window(asked.session_uid, asked.agent_id)
    this_turn = {rule_id for rule_id, prompt_id in shown_before if fresh_in_turn and prompt_id == asked.prompt_id}
    times_shown = _times(shown_before)
    wanted = []
    for one in trace.ranked:
        rule = one.candidate
        # A file that a rule names gives it its whole domain.
        if query.path and not one.domain and names_files(rule.scope_level, rule.globs, rule.languages):
            trace.lost[rule.id] = OF_ANOTHER_FILE, 0
        elif one.evidence < trace.floor:
            trace.lost[rule.id] = UNDER_FLOOR, trace.floor
        elif rule.id in this_turn:
            trace.lost[rule.id] = SHOWN_IN_TURN, 0
        elif rule.always_apply and asked.moment == "prompt" and rule.id in times_shown:
            trace.lost[rule.id] = GIVEN_AT_START, 0
        else:
            wanted.append(one)
    cap, default = CAPS[asked.moment]
    shown = pack(
        settled(store, wanted, trace.lost),
        most=int(store.number(cap, default)) if most is None else most,
        most_pending=int(store.number("pending_shown", MOST_PENDING)),
        token_budget=int(store.number("prompt_token_budget", DEFAULT_BUDGET)),
        times_shown=times_shown,
        reminder_every=int(store.number("reminder_every", REMINDER_EVERY)),
        lost=trace.lost,
    )
    return _injection(asked, project_id, shown)


def settled(store: RecallStore, wanted: list[Ranked], lost: Lost) -> list[Ranked]:
    """*wanted* without those that a rule of greater precedence among the first of them contradicts; *lost* names it.

    A rule that waits takes nobody's place.
    """
    there = {one.candidate.id: one.candidate for one in wanted[:MOST_SETTLED]}
    for rule in there.values():
        against = [there[rule_id] for rule_id in store.conflicts_of(rule.id) if rule_id in there]
        if not against:
            continue
        strongest = max([rule, *against], key=lambda one: (one.status != PENDING, precedence(one)))
        if strongest is not rule:
            lost[rule.id] = CONTRADICTS, strongest.id
    return [one for one in wanted if one.candidate.id not in lost]


def _times(shown_before: list[tuple[int, str]]) -> dict[int, int]:
    """How often each memory was shown in the context window."""
    times: dict[int, int] = {}
    for memory_id, _ in shown_before:
        times[memory_id] = times.get(memory_id, 0) + 1
    return times


def _left(budget: int, rules: list[Shown]) -> Room:
    """What *rules* leave of a budget."""
    room = Room(budget)
    for one in rules:
        room.refuses(line(one.candidate, one.detail))
    return room


def _injection(
    asked: Asked, project_id: int | None, shown: list[Shown], recalled: NoteRecall | None = None
) -> Injection:
    notes = [] if recalled is None else recalled.shown
    lines = [line(one.candidate, one.detail) for one in shown]
    lines += [note_line(one.candidate, one.detail) for one in notes]
    cost = sum(cost_of(text) + 2 for text in lines)
    return Injection(asked, project_id=project_id, shown=shown, notes=notes, skipped="", tokens=cost)


def _ends(text: str, most: int = LONGEST_QUERY) -> str:
    return text if len(text) <= most else f"{text[: most // 2]} {text[-(most // 2) :]}"


def _distinct(spoken: list[str]) -> list[str]:
    """The distinct ones of *spoken*; of too many those at the beginning and at the end."""
    distinct = list(dict.fromkeys(spoken))
    if len(distinct) <= MOST_TERMS:
        return distinct
    last = list(dict.fromkeys(reversed(spoken)))[: MOST_TERMS // 2]
    return list(dict.fromkeys([*distinct[: MOST_TERMS // 2], *last]))
