from __future__ import annotations

import gzip
import json
import sys
from math import log2
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.effectiveness.labelled_set import LabelledSet
from agentrecall_domain.notes.note import NoteContent
from agentrecall_domain.rules.rule import RuleContent

sys.path.append(str(Path(__file__).parents[2]))  # benches are modules to run, and nobody installs them
from benchmarks.retrieval import cosqa, devbench, locomo, longmemeval, precisionmembench, rule_recall, rule_routing
from benchmarks.retrieval.__main__ import main
from benchmarks.retrieval.corpus import Document, MalformedDataError, MissingDataError, Question, number_of
from benchmarks.retrieval.evaluation import AT_PROMPT, NO_GATE, SETS, Row
from benchmarks.retrieval.measures import (
    Answer,
    Scored,
    all_at,
    best_floor,
    hit_at,
    is_exact,
    mean,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
)
from benchmarks.retrieval.notes import AS_NOTES, note_product
from benchmarks.retrieval.product import NAME, product
from benchmarks.retrieval.report import TARGETS, missed
from benchmarks.retrieval.searchers import PLAIN, Bm25, Fts5, Hit

QUESTION = Question(1, "which?", frozenset({"a", "b"}))
MEMORIES = [
    ("the billing service rounds amounts with decimals", ["billing"]),
    ("webhook deliveries are retried three times", ["webhooks"]),
    ("the search index is rebuilt every night", ["search"]),
]


def document(key: str, text: str) -> Document:
    return Document(key, RuleContent(title=text, trigger="", action=text), text)


def rule_of(found: Document) -> RuleContent:
    """The rule that the document is."""
    assert isinstance(found.content, RuleContent)
    return found.content


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a tiny made-up file of every public set."""
    memories = [
        {"id": f"bench:{number}", "content": content, "tags": ["devbench", f"bench:{number}", *tags]}
        for number, (content, tags) in enumerate(MEMORIES, 1)
    ]
    queries = [
        {"id": "exact-1", "question": "how does billing round amounts?", "expected_tags": ["bench:1"]},
        {"id": "negative-2", "question": "what about zebras?", "expected_tags": []},
    ]
    _write(tmp_path / devbench.FILE, {"memories": memories, "queries": queries})
    _write(tmp_path / "precisionmembench" / "beliefs.seed.json", BELIEFS)
    _write(tmp_path / "precisionmembench" / "retrieval.cases.json", CASES)
    _write_lines(tmp_path / "public-rules" / "rules.jsonl.gz", PUBLIC_RULES)
    _write_lines(tmp_path / "public-rules" / "files.jsonl.gz", PUBLIC_FILES)
    _write(tmp_path / locomo.FILE, [CONVERSATION])
    _write(tmp_path / "cosqa" / "code_idx_map.txt", {"def add(a, b): return a + b": 0, "def now(): return clock()": 1})
    _write(tmp_path / "cosqa" / "cosqa-retrieval-test-500.json", [{"doc": "how to add numbers", "retrieval_idx": 0}])
    _write(tmp_path / longmemeval.FILE, CHATS)
    return tmp_path


def belief(key: str, name: str, **fields: object) -> dict[str, object]:
    usual: dict[str, object] = {
        "_id": key,
        "user_id": "test-user",
        "type": "preference",
        "canonical_name": name,
        "aliases": [],
        "content": f"Uses {name}.",
        "scope": ["domain:code"],
        "epistemic_status": "active",
        "pinned": False,
        "resolved_at": None,
    }
    return usual | fields


def public_rule(key: str, repo: str, path: str, section: str, text: str) -> dict[str, str]:
    return {"id": key, "repo": repo, "path": path, "section": section, "text": text}


BELIEFS = [
    belief("kept", "tool_terraform", aliases=["tf", "infrastructure"]),
    belief("everywhere", "answer_length", scope=["user:universal"]),
    belief("elsewhere", "chapter_order", scope=["domain:writing"]),
    belief("stranger", "language_haskell", user_id="other-user"),
    belief("pinned", "database_choice", pinned=True),
    belief("replaced", "linter_old", epistemic_status="superseded"),
    belief("resolved", "hosting", resolved_at="2026-01-01T00:00:00Z"),
    belief("open", "auth_strategy", type="open_question"),
]
CASES = [
    {
        "scope": ["domain:code"],
        "query": "terraform state",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["kept"]}},
    },
    {"scope": ["domain:code"], "query": "which one?", "expect": {"pinnedFacts": {"mustInclude": ["pinned"]}}},
    {"scope": ["domain:code"], "query": "zebras", "expect": {"relevantBeliefs": {"shouldOnlyInclude": []}}},
    {
        "scope": ["domain:code"],
        "userId": "new-user",
        "query": "terraform",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": []}},
    },
]
PUBLIC_RULES = [
    *(public_rule(f"t{number}", "a/b", "terraform.md", "Terraform", f"pin module {number}") for number in range(10)),
    *(public_rule(f"s{number}", "a/b", "short.md", "", f"a rule {number}") for number in range(9)),
    public_rule("agent", "github/awesome-copilot", "agents/x.md", "", "no rule"),
    public_rule("kept", "github/awesome-copilot", "instructions/x.md", "", "a rule"),
]
PUBLIC_FILES = [
    {"repo": "a/b", "path": "short.md", "description": "A long description of nine rules."},
    {"repo": "a/b", "path": "terraform.md", "description": "How we write Terraform modules."},
    {"repo": "a/b", "path": "unknown.md", "description": "A description of no rule that is here."},
]
CONVERSATION = {
    "conversation": {
        "speaker_a": "Ann",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ann", "dia_id": "D1:1", "text": "Which bike did you buy?"},
            {"speaker": "Bob", "dia_id": "D1:2", "text": "A gravel one.", "blip_caption": "a green bicycle"},
        ],
        "session_2_date_time": "9:01 am on 25 May, 2023",
        "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "I moved to Oslo."}],
    },
    "qa": [
        {"question": "Which bike did Bob buy?", "evidence": ["D:1:02; D9:9"]},
        {"question": "Where does Ann live?", "evidence": ["D2:1"]},
        {"question": "What is not told?", "evidence": []},
    ],
}
CHATS = [
    {
        "question_id": "q1",
        "question": "Which bike did I buy?",
        "haystack_session_ids": ["answer_1", "other", "answer_2"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "I bought a gravel bike.", "has_answer": True},
                {"role": "assistant", "content": "A fine bike for the road."},
            ],
            [{"role": "user", "content": "Tell me about Oslo."}],
            [{"role": "user", "content": "My bike is green.", "has_answer": True}],
        ],
        "answer_session_ids": ["answer_1", "answer_2"],
    },
    {
        "question_id": "q2",
        "question": "Which road was it?",
        "haystack_session_ids": ["answer_3"],
        "haystack_sessions": [[{"role": "assistant", "content": "The coast road.", "has_answer": True}]],
        "answer_session_ids": ["answer_3"],
    },
    {"question_id": "q3_abs", "question": "Which car?"},
]
LABELLED = LabelledSet.model_validate(
    {
        "rules": [
            {"key": "everywhere", "trigger": "when rounding", "action": "use decimals", "tags": ["money"]},
            {"key": "shop", "action": "use uv", "scope_level": "repository", "scope_value": "acme/shop"},
            {"key": "web", "action": "use pnpm", "scope_level": "repository", "scope_value": "acme/web"},
            {"key": "gone", "action": "use pip", "status": "archived"},
            {"key": "standing", "action": "be brief", "always_apply": True},
        ],
        "scenarios": [
            {"id": 1, "prompt": "round the amounts", "repository": "acme/shop", "expected": ["everywhere"]},
            {"id": 2, "kind": "edit", "file_path": "src/a.py", "text": "round(1)", "prompt": "not this"},
        ],
    }
)


def test_devbench_gives_each_memory_its_content_and_the_tags_that_a_person_would_write(data: Path) -> None:
    corpus = devbench.load(data)

    first, rule = corpus.documents[0], rule_of(corpus.documents[0])
    assert (first.key, rule.trigger, rule.tags) == ("bench:1", "billing", ("billing",))
    assert (rule.action, first.words) == (MEMORIES[0][0], f"billing\n{MEMORIES[0][0]}")
    assert corpus.questions == [
        Question(1, "how does billing round amounts?", frozenset({"bench:1"})),
        Question(2, "what about zebras?", frozenset()),
    ]


def test_precisionmembench_searches_what_holds_for_the_person_and_scope_and_is_not_told_otherwise(data: Path) -> None:
    ours, strangers = precisionmembench.load(data)

    assert [one.key for one in ours.documents] == ["kept", "everywhere"]
    assert strangers.documents == []


def test_precisionmembench_asks_only_what_says_its_relevant_beliefs_numbered_as_in_the_file(data: Path) -> None:
    ours, strangers = precisionmembench.load(data)

    assert [(one.number, one.text) for one in ours.questions] == [(1, "terraform state"), (3, "zebras")]
    assert [one.number for one in strangers.questions] == [4]


def test_a_belief_is_found_by_its_name_and_aliases(data: Path) -> None:
    kept = precisionmembench.load(data)[0].documents[0]
    rule = rule_of(kept)

    assert kept.words == rule.trigger == "tool terraform, tf, infrastructure"
    assert rule.action == "Uses tool_terraform."


def test_rule_routing_asks_for_files_with_ten_rules_and_a_description(data: Path) -> None:
    corpus = rule_routing.load(data)["bare text"]

    terraform = frozenset(f"t{number}" for number in range(10))
    assert corpus.questions == [Question(1, "How we write Terraform modules.", terraform)]
    assert len(corpus.documents) == 20
    assert "agent" not in {one.key for one in corpus.documents}


@pytest.mark.parametrize(
    ("setting", "trigger", "words"),
    [
        pytest.param("bare text", "", "pin module 0", id="bare"),
        pytest.param("heading indexed", "Terraform", "Terraform\npin module 0", id="with its heading"),
    ],
)
def test_a_public_rules_heading_is_its_trigger_where_it_is_indexed(
    data: Path, setting: str, trigger: str, words: str
) -> None:
    first = rule_routing.load(data)[setting].documents[0]
    rule = rule_of(first)

    assert (rule.trigger, rule.action, first.words) == (trigger, "pin module 0", words)
    assert rule.title == (trigger or "pin module 0")


def test_a_plain_searcher_reads_the_rules_of_the_repository_that_recall_may_show() -> None:
    shop, nowhere = rule_recall.corpora(LABELLED)

    assert [one.key for one in shop.documents] == ["everywhere", "shop"]
    assert shop.documents[0].words == "when rounding\nuse decimals\nmoney"
    assert [one.key for one in nowhere.documents] == ["everywhere"]
    assert nowhere.questions == [Question(2, "src/a.py\nround(1)", frozenset())]


def test_a_turn_is_a_note_whose_title_is_the_turn_before_it(data: Path) -> None:
    (corpus,) = locomo.load(data)["turns"]

    assert [one.key for one in corpus.documents] == ["D1:1", "D1:2", "D2:1"]
    second = corpus.documents[1].content
    assert isinstance(second, NoteContent)
    assert (second.title, second.body) == ("Ann: Which bike did you buy?", "Bob: A gravel one. [a green bicycle]")
    assert corpus.documents[2].content.title == ""
    assert [one.expected for one in corpus.questions] == [frozenset({"D1:2"}), frozenset({"D2:1"})]


def test_sessions_are_asked_what_turns_are(data: Path) -> None:
    (corpus,) = locomo.load(data)["sessions"]

    assert [one.key for one in corpus.documents] == ["D1", "D2"]
    assert [(one.number, one.expected) for one in corpus.questions] == [(1, frozenset({"D1"})), (2, frozenset({"D2"}))]


def test_a_function_is_a_note_without_a_title(data: Path) -> None:
    corpus = cosqa.load(data)

    assert [(one.key, one.content.title) for one in corpus.documents] == [("0", ""), ("1", "")]
    assert corpus.questions == [Question(1, "how to add numbers", frozenset({"0"}))]


def test_longmemeval_asks_what_the_person_told_in_a_session_of_what_the_person_said(data: Path) -> None:
    (corpus,) = longmemeval.load(data)

    assert [one.words for one in corpus.documents] == [
        "I bought a gravel bike.",
        "Tell me about Oslo.",
        "My bike is green.",
    ]
    assert corpus.questions == [Question(1, "Which bike did I buy?", frozenset({"answer_1", "answer_2"}))]


def test_a_file_that_is_no_longmemeval_is_named(data: Path) -> None:
    _write(data / longmemeval.FILE, [{"question_id": "q1"}])

    with pytest.raises(MalformedDataError, match=r"'longmemeval_s\.json' is no LongMemEval"):
        longmemeval.load(data)


@pytest.mark.parametrize(
    ("found", "figures"),
    [
        pytest.param((), (0.0, 0.0, 0.0), id="nothing"),
        pytest.param(("a", "b", "x"), (1.0, 1.0, 1.0), id="all, first"),
        pytest.param(("a", "x", "b"), (1.0, 1.0, (1 + 1 / log2(3)) / 2), id="the second late"),
        pytest.param(("x", "a", "y", "b"), (1.0, 0.0, 1 / 2), id="one of them in time"),
    ],
)
def test_longmemevals_figures_are_as_its_script_has_them(found: tuple[str, ...], figures: tuple[float, ...]) -> None:
    answer = Answer(QUESTION, found)

    assert (hit_at(answer, 3), all_at(answer, 3), ndcg_at(answer, 3)) == pytest.approx(figures)


def test_our_own_labelled_set_loads() -> None:
    assert rule_recall.load().scenarios


@pytest.mark.parametrize("name", [name for name in SETS if name != "rule-recall"])
def test_a_set_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="is not in the data folder"):
        list(SETS[name](tmp_path))


def test_a_set_that_is_no_json_is_named(data: Path) -> None:
    (data / devbench.FILE).write_text("{", encoding="utf-8")
    (data / "public-rules" / "rules.jsonl.gz").write_bytes(b"plain")

    with pytest.raises(MalformedDataError, match=r"'devbench_dataset\.json' is no JSON"):
        devbench.load(data)
    with pytest.raises(MalformedDataError, match="not compressed"):
        rule_routing.load(data)


def test_a_question_without_a_number_belongs_to_no_half() -> None:
    assert number_of("exact-12") == 12
    with pytest.raises(MalformedDataError):
        number_of("exact")


@pytest.mark.parametrize(
    ("found", "figures"),
    [
        pytest.param((), (0.0, 0.0, 0.0, 0.0, False), id="nothing"),
        pytest.param(("a", "b"), (1.0, 1.0, 1.0, 1.0, True), id="exactly it"),
        pytest.param(("b", "a"), (1.0, 1.0, 1.0, 1.0, True), id="in another order"),
        pytest.param(("x", "a"), (0.5, 1.0, 0.5, 0.5, False), id="one of them, second"),
        pytest.param(("x", "y", "b"), (0.0, 0.0, 0.0, 1 / 3, False), id="one of them, too late"),
        pytest.param(("a",), (0.5, 1.0, 0.5, 1.0, False), id="fewer than there are places"),
    ],
)
def test_an_answer_is_measured_against_what_was_expected(found: tuple[str, ...], figures: tuple[float, ...]) -> None:
    answer = Answer(QUESTION, found)

    measured = (precision_at(answer, 2), hit_at(answer, 2), recall_at(answer, 2), reciprocal_rank(answer))
    assert (*measured, is_exact(answer)) == figures


def test_nothing_found_is_exact_where_nothing_is_expected() -> None:
    assert is_exact(Answer(Question(2, "", frozenset()), ()))


def test_a_mean_of_nothing_is_nothing() -> None:
    assert (mean([]), mean([1.0, 0.0, 0.0])) == (0.0, 0.3333)


def test_the_best_floor_is_chosen_on_the_even_questions_alone() -> None:
    scored = [
        Scored(Question(2, "", frozenset({"a"})), [Hit("a", 3.0), Hit("x", 1.0)]),
        Scored(Question(4, "", frozenset()), [Hit("x", 2.0)]),
        Scored(Question(3, "", frozenset({"a"})), [Hit("a", 0.5)]),
    ]

    floor = best_floor(scored, lambda answers: mean(float(is_exact(one)) for one in answers))

    assert floor == 3.0
    assert scored[2].over(floor).found == ()


def test_the_best_floor_of_what_finds_nothing_is_none_at_all() -> None:
    assert best_floor([], lambda _: 1.0) == 0.0


@pytest.mark.parametrize("kind", PLAIN.values(), ids=PLAIN.keys())
def test_a_plain_searcher_finds_by_any_word_that_says_something(kind: type[Fts5 | Bm25]) -> None:
    documents = [document(str(number), text) for number, (text, _) in enumerate(MEMORIES)]
    with kind(documents) as searcher:
        assert [hit.key for hit in searcher.search("why are the webhooks retrying?", 5)] == ["1"]
        assert searcher.search("the is of", 5) == []
        assert [hit.key for hit in searcher.search("is billing in the search index?", 5)] == ["2", "0"]
        assert [hit.key for hit in searcher.search("is billing in the search index?", 1)] == ["2"]


def test_okapi_scores_as_by_hand() -> None:
    # Two documents of two words each: length is the usual one, so a word that stands once weighs 1 times its idf.
    with Bm25([document("a", "apple pear"), document("b", "plum cherry")]) as searcher:
        (hit,) = searcher.search("apple", 5)

    assert hit.key == "a"
    assert hit.score == pytest.approx(0.6931, abs=1e-4)  # ln(1 + (2 - 1 + 0.5) / (1 + 0.5))


@given(st.text())
def test_a_plain_searcher_answers_any_text(text: str) -> None:
    for kind in PLAIN.values():
        with kind([document("a", "apple")._replace(words=text), document("b", "billing")]) as searcher:
            assert {hit.key for hit in searcher.search(f"{text} billing", 5)} >= {"b"}


def test_the_product_ranks_with_no_floor_and_shows_with_one() -> None:
    documents = [document(str(number), text) for number, (text, _) in enumerate(MEMORIES)]
    with product(documents, compared=False) as memory:
        assert memory.search("webhook deliveries", 5)[0].key == "1"
        assert memory.shown("webhook deliveries that are retried", gated=True) == []
        assert memory.shown("webhook deliveries that are retried", gated=False) == ["1"]
        assert memory.shown("zebras", gated=False) == []


def test_rules_are_notes_where_that_is_asked_and_shown_with_a_floor() -> None:
    documents = [document(str(number), text) for number, (text, _) in enumerate(MEMORIES)]
    with note_product(documents) as memory:
        assert memory.search("webhook deliveries", 5)[0].key == "1"
        assert memory.shown("webhook deliveries that are retried", gated=True) == []
        assert memory.shown("webhook deliveries that are retried", gated=False) == ["1"]
        assert memory.shown("zebras", gated=False) == []


@pytest.mark.parametrize("name", [name for name in SETS if name != "rule-recall"])
def test_a_set_is_measured_for_the_product_and_each_plain_searcher(name: str, data: Path) -> None:
    rows = list(SETS[name](data))

    assert {NAME, *PLAIN} <= {row.searcher for row in rows}
    assert {row.half for row in rows} == {"all", "odd"}


def test_devbench_keeps_the_gate_off_where_something_is_expected(data: Path) -> None:
    rows = {row.searcher: row.figures for row in SETS["devbench"](data) if row.half == "all"}

    assert rows[NAME]["R@5"] == 1.0
    assert rows[NAME]["empty"] == rows[NAME]["of"] == 1
    assert rows[AT_PROMPT]["R@5"] <= rows[NO_GATE]["R@5"] <= rows[NAME]["R@5"]


def test_only_the_product_over_a_whole_set_has_targets_to_miss() -> None:
    row = Row("", NAME, "all", 20, {"R@5": 0.5, "empty": 5})

    assert missed("devbench", row) == {"R@5": 1.0}
    assert missed("devbench", row._replace(searcher=AS_NOTES)) == {"R@5": 1.0}
    assert missed("devbench", row._replace(half="odd")) == missed("devbench", row._replace(searcher="FTS5")) == {}
    assert {name for name, _ in TARGETS} < set(SETS)


def test_the_bench_prints_and_keeps_what_it_measured_and_leaves_other_sets_as_they_were(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "kept" / "retrieval.json"
    results.parent.mkdir()
    _write(results, {"rule-recall": {"rows": []}})

    main(["--data", str(data), "--set", "devbench"], results)
    printed = capsys.readouterr().out
    main(["--data", str(data), "--set", "devbench", "--json"], results)

    kept = results.read_text(encoding="utf-8")
    assert "devbench" in printed
    assert json.loads(capsys.readouterr().out) == json.loads(kept)
    assert list(json.loads(kept)) == ["devbench", "rule-recall"]
    assert str(tmp_path) not in kept


def test_a_set_without_data_is_left_out_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--data", str(tmp_path), "--set", "devbench"], tmp_path / "retrieval.json")

    assert "devbench is left out: 'devbench/devbench_dataset.json' is not in the data folder" in capsys.readouterr().err


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def _write_lines(path: Path, values: list[dict[str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, values)).encode()))
