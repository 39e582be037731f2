from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentrecall_domain.capture import (
    category,
    clause,
    clause_customs,
    clause_cuts,
    clause_foreign,
    clause_marked,
    clause_practice,
    clause_roles,
    clause_told,
    clause_wrongs,
    extraction,
    signals,
    worthiness,
)
from agentrecall_domain.capture.clause import clauses_of
from agentrecall_domain.capture.extraction import Lesson, extract
from agentrecall_domain.capture.general_lessons import ANY
from agentrecall_domain.capture.rewriting import conditional, when

READ = [
    (
        (
            "When a job writes to two tables wrap both writes in one transaction, not two, because a "
            "crash in between leaves orphans"
        ),
        Lesson(
            "When a job writes to two tables",
            "wrap both writes in one transaction",
            "wrap two",
            "a crash in between leaves orphans",
        ),
    ),
    (
        "biome beats prettier + eslint here, it's what CI runs",
        Lesson("", "use biome", "use prettier + eslint", "it's what CI runs"),
    ),
    (
        "please always run the snapshot update before opening a PR that changes a component",
        Lesson("before opening a PR that changes a component", "run the snapshot update", "", ""),
    ),
    (
        "you forgot to update the CHANGELOG again: every time you touch packages/sdk, add a line under Unreleased",
        Lesson("every time you touch packages/sdk", "add a line under Unreleased", "", ""),
    ),
    ("In Kotlin prefer `val` over `var`", Lesson("when writing Kotlin", "use `val`", "use `var`", "")),
    (
        "never force-push a shared branch unless everyone on it has been told",
        Lesson("", "", "force-push a shared branch unless everyone on it has been told", ""),
    ),
    (
        "Every goroutine you start must have an owner that waits for it, otherwise tests end while it still runs",
        Lesson(
            "when writing goroutine you start", "have an owner that waits for it", "", "tests end while it still runs"
        ),
    ),
    (
        (
            "we got burned by implicit type conversion in MySQL last month - the index was skipped and "
            "the whole table got scanned. from now on compare columns with values of their own type"
        ),
        Lesson(
            "when comparing columns",
            "use values of their own type",
            "use implicit type conversion in MySQL",
            "the index was skipped and the whole table got scanned",
        ),
    ),
    (
        (
            "Floating point sums depend on the order. Sort before summing, or use fsum, when results "
            "have to be reproducible."
        ),
        Lesson(
            "when results have to be reproducible",
            "sort before summing, or use fsum",
            "",
            "Floating point sums depend on the order",
        ),
    ),
    (
        "In this monorepo shared types live in libs/types, don't redeclare them in an app",
        Lesson("when adding shared types", "put shared types in libs/types", "redeclare them in an app", ""),
    ),
    (
        "If you need the current user in a resolver take it from the context instead of decoding the token again",
        Lesson("If you need the current user in a resolver", "take it from the context", "decode the token", ""),
    ),
    (
        "Never trust the client's price: recompute the total on the server",
        Lesson("when recomputing the total", "recompute the total on the server", "trust the client's price", ""),
    ),
    (
        "after upgrading a gem run the full suite, not just the specs you touched",
        Lesson("after upgrading a gem", "run the full suite", "run just the specs you touched", ""),
    ),
    (
        "all timestamps in our events are epoch millis, not ISO strings. the consumers in flink parse them as longs",
        Lesson(
            "when handling timestamps in our events",
            "keep all timestamps in our events epoch millis",
            "use ISO strings",
            "the consumers in flink parse them as longs",
        ),
    ),
    (
        "docker compose files: pin images by digest, `latest` moved under us in March",
        Lesson("when handling docker compose files", "pin images by digest", "", "`latest` moved under us in March"),
    ),
    (
        (
            "Could we please stop importing from `dist/`? Import from the package root, the dist "
            "layout changes every build."
        ),
        Lesson(
            "",
            "import from the package root",
            "import from `dist/`",
            "the dist layout changes every build",
        ),
    ),
    (
        "As soon as a function needs more than four params, pass an options object",
        Lesson("As soon as a function needs more than four params", "pass an options object", "", ""),
    ),
    (
        "You should free the buffer in the same layer that allocated it",
        Lesson("when freeing the buffer", "free the buffer in the same layer that allocated it", "", ""),
    ),
    (
        (
            "Quand une requête échoue, il faut journaliser l'identifiant de corrélation, sinon on ne "
            "retrouve rien dans Kibana"
        ),
        Lesson(
            "Quand une requête échoue",
            "journaliser l'identifiant de corrélation",
            "",
            "on ne retrouve rien dans Kibana",
        ),
    ),
    (
        "the id columns are bigint here. please don't use int for foreign keys, we ran out of ints once already",
        Lesson(
            "when adding the id columns",
            "keep the id columns bigint",
            "use int for foreign keys",
            "we ran out of ints once already",
        ),
    ),
    (
        "Every controller test here starts from `build_conn()` in test/support, don't roll your own",
        Lesson("when writing controller test", "start from `build_conn()` in test/support", "roll your own", ""),
    ),
    (
        "prefer `Promise.allSettled` to `Promise.all` when one failure mustn't sink the rest",
        Lesson("when one failure mustn't sink the rest", "use `Promise.allSettled`", "use `Promise.all`", ""),
    ),
    (
        (
            "after you change a protobuf, bump the package version and rerun buf; never renumber "
            "fields because old clients would misread them"
        ),
        Lesson(
            "after you change a protobuf",
            "bump the package version and rerun buf",
            "renumber fields",
            "old clients would misread them",
        ),
    ),
    (
        "No business logic in Blade templates. Move it to a view model so that it can be tested.",
        Lesson(
            "when writing Blade templates",
            "move it to a view model",
            "use business logic in Blade templates",
            "it can be tested",
        ),
    ),
    (
        "lambdas in a stream pipeline shouldn't have side effects; collect first and then loop",
        Lesson("when writing lambdas in a stream pipeline", "collect first and then loop", "have side effects", ""),
    ),
    (
        "Bei Datumswerten immer die Zeitzone mitspeichern, sonst stimmen die Berichte im Sommer nicht",
        Lesson("bei Datumswerten", "die Zeitzone mitspeichern", "", "stimmen die Berichte im Sommer nicht"),
    ),
    (
        "Avant de fusionner une branche, relance la suite complète plutôt que les seuls tests modifiés",
        Lesson("Avant de fusionner une branche", "relance la suite complète", "utiliser les seuls tests modifiés", ""),
    ),
    (
        (
            "Si añades un endpoint aquí, regístralo también en gateway.yml, de lo contrario nadie "
            "puede llamarlo desde fuera"
        ),
        Lesson(
            "Si añades un endpoint aquí", "regístralo también en gateway.yml", "", "nadie puede llamarlo desde fuera"
        ),
    ),
    (
        "vue: never mutate a prop, emit an event and let the parent change it",
        Lesson("when writing vue", "emit an event and let the parent change it", "mutate a prop", ""),
    ),
    (
        "test names should say what breaks, not which method is called",
        Lesson("when naming test names", "say what breaks", "say which method is called", ""),
    ),
    (
        "we've been bitten by `rm -rf $DIR/` with an empty DIR twice. quote it and use ${DIR:?}",
        Lesson("", "quote it and use ${DIR:?}", "use `rm -rf $DIR/` with an empty DIR", ""),
    ),
    (
        "while a migration is running on prod don't deploy anything else, the lock queue stalls every request",
        Lesson(
            "while a migration is running on prod", "", "deploy anything else", "the lock queue stalls every request"
        ),
    ),
    (
        "Error messages must name the file and the line, users can't act on 'invalid input'",
        Lesson("when writing Error messages", "name the file and the line", "", "users can't act on 'invalid input'"),
    ),
    (
        "Retries belong not in the handler but in the client, otherwise every caller does it differently",
        Lesson(
            "when adding retries",
            "put retries in the client",
            "put retries in the handler",
            "every caller does it differently",
        ),
    ),
    (
        "jest is out, vitest is in. one config for all packages",
        Lesson("", "use vitest", "use jest", "one config for all packages"),
    ),
    (
        "resist the urge to catch Throwable - it hides OutOfMemoryError",
        Lesson("", "", "catch Throwable", "it hides OutOfMemoryError"),
    ),
    (
        "sleep() in tests? please don't. wait on the condition",
        Lesson("when writing tests", "wait on the condition", "use sleep() in tests", ""),
    ),
    (
        "Whoever adds a topic also writes the schema in schemas/, the registry rejects messages without one",
        Lesson("Whoever adds a topic", "write the schema in schemas/", "", "the registry rejects messages without one"),
    ),
    (
        "Config comes from env vars, never from files in the image",
        Lesson("", "take config from env vars", "take config from files in the image", ""),
    ),
    (
        "Our tests talk to a real Postgres in docker, nobody mocks the db layer",
        Lesson("when writing Our tests", "talk to a real Postgres in docker", "mock the db layer", ""),
    ),
    (
        "wrap the call in a transaction or the two tables drift apart",
        Lesson("", "wrap the call in a transaction", "", "the two tables drift apart"),
    ),
    (
        "on android never touch views off the main thread (it crashes only on some devices)",
        Lesson("when working on android", "", "touch views off the main thread", "it crashes only on some devices"),
    ),
    (
        "instead of `print` use `logger.debug`, stdout is parsed by the runner",
        Lesson("", "use `logger.debug`", "use `print`", "stdout is parsed by the runner"),
    ),
    (
        (
            "Do not use `latest` tags for base images. Pin the digest; we had three broken builds last "
            "month because of that."
        ),
        Lesson("", "pin the digest", "use `latest` tags for base images", "we had three broken builds last month"),
    ),
    (
        "logging in the hot path costs us 8% cpu: guard it with a level check",
        Lesson("when logging in hot path", "guard it with a level check", "log in the hot path", "it costs us 8% cpu"),
    ),
    (
        "To avoid thundering herds, add jitter to retries",
        Lesson("", "add jitter to retries", "", "To avoid thundering herds"),
    ),
    (
        "Adding a new event? version it from the start, consumers can't tell otherwise",
        Lesson("when adding a new event", "version it from the start", "", "consumers can't tell otherwise"),
    ),
    (
        "drop moment, date-fns it is. the bundle halved when we did that in the admin app",
        Lesson("", "use date-fns", "use moment", ""),
    ),
    (
        "close it when you leave the loop, the handle stays open otherwise",
        Lesson("when you leave the loop", "close it", "", "the handle stays open otherwise"),
    ),
    (
        "pls answer in full sentences when you compare options, i read these on my phone",
        Lesson("when you compare options", "answer in full sentences", "", "i read these on my phone"),
    ),
    (
        "next time you touch the scheduler, run the soak test first",
        Lesson("when touching the scheduler", "run the soak test first", "", ""),
    ),
    (
        "Whoever changes a proto must bump the package version. Clients break silently.",
        Lesson("when changing a proto", "bump the package version", "", "Clients break silently"),
    ),
    (
        "Anyone who touches auth shouldn't merge without a review.",
        Lesson("when touching auth", "", "merge without a review", ""),
    ),
    (
        "If you're going to add a retry, cap it. Unlimited retries took down staging.",
        Lesson("when adding a retry", "cap it", "", "Unlimited retries took down staging"),
    ),
    (
        "For everything we expose to partners (feeds, invoices, webhooks) write an example, they parse it.",
        Lesson(
            "when handling everything we expose to partners (feeds, invoices, webhooks)",
            "write an example",
            "",
            "they parse it",
        ),
    ),
    (
        "In every handler that takes a file check its size first.",
        Lesson("when handler takes a file", "check its size first", "", ""),
    ),
    (
        "Wrap it in a transaction, a half written order cost us a day.",
        Lesson("", "wrap it in a transaction", "", "a half written order cost us a day"),
    ),
    (
        "It took us two days to find out that the cache key ignored the locale. Include the locale in the key.",
        Lesson("", "include the locale in the key", "", "the cache key ignored the locale"),
    ),
    (
        "A global lock rarely pays off. What you want is a lock per key.",
        Lesson("", "use a lock per key", "use a global lock", "it rarely pays off"),
    ),
    (
        "A try/except around an import only hides the missing dependency. Declare it in pyproject.",
        Lesson(
            "", "declare it in pyproject", "use a try/except around an import", "it only hides the missing dependency"
        ),
    ),
    (
        "It's a no-go to log a token, not even in debug. Mask it.",
        Lesson("", "mask it", "log a token, not even in debug", ""),
    ),
    (
        "There is no good reason to ever parse HTML with regex. Use the parser.",
        Lesson("when parsing HTML", "use the parser", "use regex", ""),
    ),
    (
        "Si tu dois trier, trie dans la base plut\u00f4t que de le faire en Python.",
        Lesson("Si tu dois trier", "trie dans la base", "le faire en Python", ""),
    ),
    (
        "Bei Zeitstempeln immer UTC speichern, lokale Zeiten sind nicht eindeutig.",
        Lesson("bei Zeitstempeln", "UTC speichern", "", "lokale Zeiten sind nicht eindeutig"),
    ),
    (
        "Polling without a backoff floods the broker. Use the long poll.",
        Lesson("", "use the long poll", "poll without a backoff", "it floods the broker"),
    ),
    (
        "Why is there a second logger in this worker? the one from libs/log, please.",
        Lesson("", "use the one from libs/log", "use a second logger in this worker", ""),
    ),
    ("What's with the magic numbers? Name them.", Lesson("", "name them", "use the magic numbers", "")),
    ("The way we do it here is one module per table.", Lesson("", "use one module per table", "", "")),
    ("It's safer to fail closed than to guess a tenant.", Lesson("", "fail closed", "guess a tenant", "")),
    (
        "you hardcoded the port again, take it from the settings",
        Lesson("", "take it from the settings", "hardcode the port", ""),
    ),
    (
        "Signing cookies with md5 is wrong, sha256 is what we use.",
        Lesson("when signing cookies", "use sha256", "use md5", ""),
    ),
    (
        "Use of `eval` must be justified in the description.",
        Lesson("when using `eval`", "justify use of `eval` in the description", "", ""),
    ),
    (
        "This should have been a partial index, the full one is 40 GB.",
        Lesson("", "use a partial index", "", "the full one is 40 GB"),
    ),
    (
        "Lieber zwei kleine Jobs als einen riesigen, der riesige läuft nie durch.",
        Lesson("", "zwei kleine Jobs", "einen riesigen", "der riesige läuft nie durch"),
    ),
    (
        "Vor jedem Release muss das Changelog aktualisiert werden.",
        Lesson("Vor jedem Release", "das Changelog aktualisiert werden", "", ""),
    ),
    (
        "Los tests no deben llamar a la red, usa los fakes.",
        Lesson("para los tests", "usa los fakes", "llamar a la red", ""),
    ),
    (
        "不要在循环里查询数据库，用批量查询，否则接口会超时",  # noqa: RUF001 -- its own commas
        Lesson("在循环里查询数据库时", "用批量查询", "在循环里查询数据库", "否则接口会超时"),
    ),
    ("به جای print از logger استفاده کن", Lesson("", "از logger استفاده کن", "print", "")),
]


@pytest.mark.parametrize(("text", "lesson"), READ)
def test_a_lesson_is_read_in_the_forms_that_people_use(text: str, lesson: Lesson) -> None:
    assert conditional(extract(text), text) == lesson


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        pytest.param("Use tabs, not spaces.", "use spaces", id="a thing is used"),
        pytest.param("Prefer composition over inheritance.", "use inheritance", id="over"),
        pytest.param("We got burned by ON DELETE CASCADE last month.", "use ON DELETE CASCADE", id="what burned us"),
        pytest.param("Stop catching Throwable.", "catch Throwable", id="a gerund becomes its verb"),
        pytest.param("Log to stderr, not to stdout.", "log to stdout", id="a place keeps its verb"),
        pytest.param("Avoid global state.", "use global state", id="a thing to avoid"),
        pytest.param("N'utilise jamais l'heure réelle.", "utilise l'heure réelle", id="French"),
        pytest.param("Benutze pnpm statt npm, weil der Rest es auch tut.", "npm", id="German"),
        pytest.param("Usa pnpm en vez de npm porque los demás lo usan.", "npm", id="Spanish"),
    ],
)
def test_the_mistake_is_an_act_without_its_never(text: str, mistake: str) -> None:
    assert extract(text).mistake == mistake


@pytest.mark.parametrize(
    ("what", "condition"),
    [
        pytest.param("tests", "when writing tests", id="what is written"),
        pytest.param("money amounts", "when handling money amounts", id="what is handled"),
        pytest.param("third-party APIs", "when calling third-party APIs", id="what is called"),
        pytest.param("adding packages", "when adding packages", id="an act already"),
        pytest.param("every public function in the SDK", "when writing public function in the SDK", id="its head noun"),
        pytest.param("the frobnicator", "when working on the frobnicator", id="what is not known"),
    ],
)
def test_a_matter_becomes_a_condition(what: str, condition: str) -> None:
    assert when(what) == condition


@pytest.mark.parametrize(
    ("text", "trigger"),
    [
        pytest.param("In tests, use fakes.", "when writing tests", id="in tests"),
        pytest.param("For money amounts use integers.", "when handling money amounts", id="for amounts"),
        pytest.param("terraform: pin the providers", "when writing terraform", id="a label"),
        pytest.param("Never compare floats with ==.", "when comparing floats", id="the act that goes wrong"),
        pytest.param("Whenever you add a flag, name its owner.", "Whenever you add a flag", id="a condition stays"),
        pytest.param("Use pnpm.", "", id="nothing named"),
    ],
)
def test_a_trigger_is_found_where_the_words_name_a_situation(text: str, trigger: str) -> None:
    assert conditional(extract(text), text).trigger == trigger


def test_a_code_fact_that_hints_at_a_pattern_becomes_a_general_lesson() -> None:
    fact = "All routes in admin.py go through `require_role`, only `/health` does not."
    other = "Every exporter is listed in exporters.py except CsvExporter."

    assert "check" in conditional(extract(fact), fact).action
    assert conditional(extract(other), other) == ANY


def test_code_is_one_word_whatever_stands_in_it() -> None:
    assert extract("Use `a; b, never c`, not `d`.") == Lesson("", "use `a; b, never c`", "use `d`", "")


@given(st.text(max_size=400))
def test_any_text_is_read_and_rewritten(text: str) -> None:
    lesson = conditional(extract(text), text)

    assert all(isinstance(part, str) for part in lesson)
    assert all(found.text for found in clauses_of(text))


SIGNALS = ["when", "if", "never", "don't", "instead of", "because", "otherwise", ",", ";", ":", ".", "-", "not", "stop"]
SIGNALS += ["or", "use x", "must", "we", "so", "in tests", "every", "`y`", "you forgot to", "over", "="]
SIGNALS += ["不要", "之前", "因为", "而不是", "数据库", "به جای", "نکن", "چون"]


@given(st.lists(st.sampled_from(SIGNALS), max_size=40).map(" ".join))
@example("之前 , :")
def test_any_heap_of_signal_words_is_read(text: str) -> None:
    conditional(extract(text), text)


@pytest.mark.parametrize(
    "unit",
    [
        ", ",
        "x: ",
        "a  b\n",
        "when ",
        "use x, ",
        "`a` ",
        "in ",
        "not ",
        "\ue000 ",
        "当",
        "之前要",
        "因为别",
        "也",
        "用。",
        "به جای ",
    ],
)
def test_a_text_that_is_nothing_but_signals_is_read_to_its_bound(unit: str) -> None:
    conditional(extract(unit * (20_000 // len(unit))), unit)


@pytest.mark.parametrize(
    "module",
    [
        extraction,
        clause,
        clause_customs,
        clause_cuts,
        clause_roles,
        clause_told,
        clause_wrongs,
        clause_foreign,
        clause_marked,
        clause_practice,
        signals,
        worthiness,
        category,
    ],
    ids=lambda module: module.__name__.rsplit(".", 1)[1],
)
def test_reading_looks_words_up_and_compiles_no_pattern(module: ModuleType) -> None:
    # A first `feedback add` waited 96 ms for patterns to be compiled.
    assert not hasattr(module, "re")
