"""What a person does to the standing of rules: several at once are all moved or none; a refusal says what to do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from agentrecall_admin.review import review
from agentrecall_admin.rules import rules as rules_command
from agentrecall_domain.rules.rule import ScopeLevel, Status
from recall.stories import Person, a_rule

SECRET = "ghp_" + "aZ3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
PROMPT = "the applied migration is wrong, please edit it in the file"


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def failed(result: Result, code: int = 1) -> str:
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


def kinds(someone: Person, label: str) -> list[str]:
    return [kind for (kind,) in someone.rows("SELECT kind FROM events WHERE subject = ? ORDER BY id", label)]


def global_rule(action: str = "use the wrapper", **parts: Any) -> Any:
    return a_rule(action, scope_level=ScopeLevel.GLOBAL, scope_value="", **parts)


VERBS = [pytest.param(command, id=name) for name, command in sorted(rules_command.commands.items())]


@pytest.mark.parametrize("command", [*VERBS, pytest.param(review, id="review")])
def test_every_verb_has_help_with_an_example_and_json(command: click.Command) -> None:
    assert "Example" in (command.help or "")
    options = {option.opts[-1]: option for option in command.params if isinstance(option, click.Option)}
    assert "--json" in options or "as_json" in {option.name for option in options.values()}
    assert all((option.help or "").endswith(".") for option in options.values())


# Approve, archive, promote


def test_all_that_waits_here_is_approved_at_once(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("two"), global_rule("three"), status=Status.PENDING)
    someone.keeps(a_rule("four"), status=Status.PENDING, cwd=someone.new_repository("bank"))

    moved = data(someone.command("rules", "approve", "--all-pending", "--json"))

    assert [(rule["label"], rule["status"]) for rule in moved] == [("R1", "Active"), ("R2", "Active"), ("R3", "Active")]
    assert someone.rule(4).status is Status.PENDING


@pytest.mark.parametrize(("verb", "status"), [("approve", Status.ACTIVE), ("archive", Status.ARCHIVED)])
def test_what_one_session_captured_is_settled_as_a_whole(someone: Person, verb: str, status: Status) -> None:
    someone.keeps(a_rule(session_uid="s1"), a_rule("two", session_uid="s2"), status=Status.PENDING)
    someone.keeps(a_rule("three", session_uid="s1"))

    data(someone.command("rules", verb, "--all-pending", "--session", "s1", "--json"))

    assert [rule.status for rule in someone.rules()] == [status, Status.PENDING, Status.ACTIVE]


def test_nothing_that_waits_is_done_with_a_word_on_stderr(someone: Person) -> None:
    result = someone.command("rules", "approve", "--all-pending")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "no rule waits here\n")
    assert data(someone.command("rules", "approve", "--all-pending", "--json")) == []


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["approve", "R1", "--all-pending"], id="a rule and all"),
        pytest.param(["archive"], id="neither"),
        pytest.param(["approve", "R1", "--session", "s1"], id="a session without all"),
        pytest.param(["promote"], id="nothing to promote"),
        pytest.param(["supersede", "R1"], id="half a pair"),
        pytest.param(["delete", "R1", "R2"], id="two to delete"),
        pytest.param(["pin", "twelve"], id="no rule id"),
    ],
)
def test_misuse_is_two_and_changes_nothing(someone: Person, arguments: list[str]) -> None:
    (before,) = someone.keeps(a_rule(), status=Status.PENDING)

    assert "Error: " in failed(someone.command("rules", *arguments), 2)
    assert someone.rules() == [before]


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.PENDING], ids=str)
def test_a_rule_that_proved_itself_is_promoted(someone: Person, status: Status) -> None:
    someone.keeps(a_rule(), status=status)

    (moved,) = data(someone.command("rules", "promote", "R1", "--json"))

    assert moved["status"] == "Promoted"
    assert kinds(someone, "R1") == ["RuleCreated", "RulePromoted"]


@pytest.mark.parametrize("verb", ["approve", "promote", "archive", "pin", "mute"])
def test_one_rule_that_is_missing_leaves_all_as_they_are(someone: Person, verb: str) -> None:
    before = someone.keeps(a_rule(), a_rule("two"), status=Status.PENDING)

    message = failed(someone.command("rules", verb, "R1", "R2", "R99"))

    assert "'R99'" in message
    assert "rules list --all" in message
    assert someone.rules() == before
    assert kinds(someone, "R1") == ["RuleCreated"]


def test_one_rule_that_may_not_be_moved_leaves_all_as_they_are(someone: Person) -> None:
    someone.keeps(a_rule(), status=Status.PENDING)
    someone.keeps(a_rule("two"), status=Status.RETIRED)

    message = failed(someone.command("rules", "approve", "R1", "R2"))

    assert "cannot approve 'R2', which is Retired" in message
    assert "undo" in message
    assert someone.rule(1).status is Status.PENDING


def test_a_bad_rule_is_archived_with_what_is_wrong_and_no_secret(someone: Person) -> None:
    someone.keeps(a_rule())

    moved = data(someone.command("rules", "report-bad", "R1", "--reason", f"it leaks {SECRET}", "--json"))

    assert moved["status"] == "Archived"
    assert kinds(someone, "R1") == ["RuleCreated", "RuleReportedBad"]
    ((details,),) = someone.rows("SELECT details FROM events WHERE kind = 'RuleReportedBad'")
    assert json.loads(details)["why"].startswith("it leaks")
    assert SECRET.encode() not in someone.stored_bytes()
    assert "only a living rule" in failed(someone.command("rules", "report-bad", "R1"))


# Supersede


def test_a_better_rule_takes_the_place_of_another_and_is_linked_to_it(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("write a new file"))

    done = data(someone.command("rules", "supersede", "R1", "R2", "--json"))

    assert (done["superseded"]["status"], done["superseded"]["superseded_by_id"]) == ("Superseded", 2)
    assert (done["by"]["status"], done["by"]["supersedes_id"]) == ("Active", 1)
    assert kinds(someone, "R1") == ["RuleCreated", "RuleSuperseded"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        pytest.param(["R1", "R1"], "its own place", id="itself"),
        pytest.param(["R1", "R2"], "'agentrecall rules approve R2'", id="by one that waits"),
        pytest.param(["R1", "R3"], "another project", id="by another project's"),
        pytest.param(["R4", "R1"], "every project", id="a global one by a local one"),
        pytest.param(["R5", "R1"], "R5 is Archived", id="a dead one"),
        pytest.param(["R1", "R99"], "no rule 'R99'", id="by a missing one"),
    ],
)
def test_a_place_that_may_not_be_taken_is_left_alone(someone: Person, arguments: list[str], why: str) -> None:
    someone.keeps(a_rule())
    someone.keeps(a_rule("two"), status=Status.PENDING)
    someone.keeps(a_rule("three"), cwd=someone.new_repository("bank"))
    someone.keeps(global_rule())
    someone.keeps(a_rule("five"), status=Status.ARCHIVED)
    before = someone.rules()

    assert why in failed(someone.command("rules", "supersede", *arguments))
    assert someone.rules() == before


def test_a_place_cannot_be_taken_in_a_circle(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("two"), a_rule("three"))
    data(someone.command("rules", "supersede", "R1", "R2", "--json"))
    data(someone.command("rules", "supersede", "R2", "R3", "--json"))

    failed(someone.command("rules", "supersede", "R3", "R1"))
    assert [rule.superseded_by_id for rule in someone.rules()] == [2, 3, None]


# Delete


def test_a_deleted_rule_leaves_nothing_but_its_row_in_the_ledger(someone: Person) -> None:
    someone.keeps(a_rule("keep the wombat file", tags=("wombat",), globs=("wombat/*",)), status=Status.ARCHIVED)
    someone.keeps(a_rule("two"))

    done = data(someone.command("rules", "delete", "R1", "--json"))

    assert (done["label"], done["deleted"]) == ("R1", True)
    assert [rule.label for rule in someone.rules()] == ["R2"]
    for table in ("rule_versions", "rule_tags", "scopes"):
        assert someone.rows(f"SELECT * FROM {table} WHERE rule_id = 1") == []  # noqa: S608 -- names of this test
    assert kinds(someone, "R1") == ["RuleCreated", "RuleDeleted"]
    assert someone.rows("SELECT rowid FROM rules_fts WHERE rules_fts MATCH 'wombat'") == []


def test_a_rule_in_force_is_deleted_by_force_alone(someone: Person) -> None:
    someone.keeps(a_rule())

    assert "--force" in failed(someone.command("rules", "delete", "R1"))
    assert len(someone.rules()) == 1
    assert someone.command("rules", "delete", "R1", "--force").stdout == "deleted R1\n"
    assert someone.rules() == []


def test_deleting_one_of_a_pair_leaves_no_link_to_it(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("two"), a_rule("three"))
    data(someone.command("rules", "supersede", "R1", "R2", "--json"))
    data(someone.command("rules", "supersede", "R2", "R3", "--json"))

    data(someone.command("rules", "delete", "R2", "--json"))

    assert [(rule.supersedes_id, rule.superseded_by_id) for rule in someone.rules()] == [(None, None), (None, None)]
    assert data(someone.command("rules", "undo", "R1", "--json"))["status"] == "Active"


def test_a_rule_with_outcomes_and_questions_can_be_deleted(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("two"))
    with someone.memory() as memory:
        memory.flag("supersede", 2, 1, "perhaps")
        memory.connection.execute(
            "INSERT INTO outcomes(uid, rule_id, type, created_at) VALUES ('o', 1, 'UserAccepted', '2026')"
        )

    data(someone.command("rules", "delete", "R1", "--force", "--json"))

    assert [rule.label for rule in someone.rules()] == ["R2"]


# Marks


def test_a_muted_rule_is_in_force_and_not_shown(someone: Person) -> None:
    someone.keeps(a_rule(), global_rule("always ask first", always_apply=True), a_rule("check it", globs=("*.sql",)))
    assert "[R1]" in someone.says(PROMPT, prompt_id="p1")
    assert "[R2]" in someone.starts(session="s2")
    assert "[R3]" in someone.uses("Read", str(someone.repository / "db/1.sql"), use_id="u1", prompt_id="p0")

    marked = data(someone.command("rules", "mute", "R1", "R2", "R3", "--json"))

    assert [(rule["muted"], rule["status"]) for rule in marked] == [(True, "Active")] * 3
    assert someone.says(PROMPT, prompt_id="p2") == ""
    assert someone.starts(session="s3") == ""
    assert someone.uses("Read", str(someone.repository / "db/2.sql"), use_id="u2", prompt_id="p4") == ""
    data(someone.command("rules", "unmute", "R1", "--json"))
    assert "[R1]" in someone.says(PROMPT, prompt_id="p3", session="s4")


def test_a_pinned_rule_is_shown_first(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("copy the applied migration"), a_rule("name the applied migration"))
    last = re.findall(r"\[(R\d)\]", someone.says(PROMPT))[-1]

    data(someone.command("rules", "pin", last, "--json"))

    assert re.findall(r"\[(R\d)\]", someone.says(PROMPT, session="s2"))[0] == last


def test_marks_are_listed_and_taken_away(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("two"), a_rule("three"))
    data(someone.command("rules", "pin", "R1", "R2", "--json"))
    data(someone.command("rules", "mute", "R2", "--json"))

    def listed(*options: str) -> list[str]:
        return [rule["label"] for rule in data(someone.command("rules", "list", *options, "--json"))]

    assert (listed("--pinned"), listed("--muted"), listed("--pinned", "--muted")) == (["R2", "R1"], ["R2"], ["R2"])
    assert "Active, pinned, muted" in someone.command("rules", "list").stdout
    data(someone.command("rules", "unpin", "R1", "--json"))
    assert listed("--pinned") == ["R2"]


def test_marking_again_changes_nothing(someone: Person) -> None:
    someone.keeps(a_rule())
    (first,) = data(someone.command("rules", "pin", "R1", "--json"))

    assert data(someone.command("rules", "pin", "R1", "--json")) == [first]


# List and explain


def test_rules_are_listed_by_tag(someone: Person) -> None:
    someone.keeps(a_rule(tags=("db", "sql")), a_rule("two", tags=("db",)), a_rule("three"))

    def listed(tag: str) -> list[str]:
        return [rule["label"] for rule in data(someone.command("rules", "list", "--tag", tag, "--json"))]

    assert (listed("db"), listed(" SQL "), listed("sq"), listed("'; --")) == (["R2", "R1"], ["R1"], [], [])
    assert someone.command("rules", "list", "--tag", "none").stderr.startswith("no such rules here")


def test_an_explanation_says_where_a_rule_comes_from_and_how_it_fared(someone: Person) -> None:
    someone.keeps(a_rule(session_uid="s1", turn_uid="t1", evidence="never edit an applied migration"), a_rule("two"))
    data(someone.command("rules", "supersede", "R2", "R1", "--json"))
    someone.says(PROMPT)
    with someone.memory() as memory:
        memory.connection.execute(
            """
            INSERT INTO outcomes(uid, rule_id, type, confidence_delta, created_at)
            VALUES ('a', 1, 'UserAccepted', 0.08, '2026'), ('b', 1, 'UserAccepted', 0.08, '2026'),
                   ('c', 1, 'RuleIgnored', -0.05, '2026'), ('d', 1, 'SomethingNew', 0, '2026')
            """
        )
        memory.flag("refine", 1, 2, "says more")

    told = data(someone.command("rules", "explain", "R1", "--json"))
    words = someone.command("rules", "explain", "R1").stdout

    assert (told["shown"], told["shown_by_moment"], told["took_the_place_of"]) == (1, {"prompt": 1}, ["R2"])
    assert told["outcomes"]["UserAccepted"] == {"times": 2, "delta": 0.16}
    assert told["net_change"] == pytest.approx(0.11)
    assert told["flags"] == [{"kind": "refine", "rule": "R1", "other": "R2", "why": "says more"}]
    for part in (
        "session s1, turn t1",
        "never edit an applied migration",
        "1 times (1 at prompt)",
        "UserAccepted 2 (+0.16)",
    ):
        assert part in words
    assert data(someone.command("rules", "explain", "R2", "--json"))["replaced_by"] == "R1"


def test_a_rule_that_nobody_was_shown_is_explained_too(someone: Person) -> None:
    someone.keeps(a_rule())

    told = data(someone.command("rules", "explain", "R1", "--json"))

    assert (told["shown"], told["last_shown_at"], told["outcomes"], told["net_change"]) == (0, None, {}, 0)
    assert "never" in someone.command("rules", "explain", "R1").stdout
    assert "'R9'" in failed(someone.command("rules", "explain", "R9"))
