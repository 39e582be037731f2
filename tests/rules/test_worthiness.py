# ruff: noqa: RUF001 -- Chinese letters are the subject here, not a slip of the keyboard
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.capture.category import classify
from agentrecall_domain.capture.extraction import extract
from agentrecall_domain.capture.worthiness import Judged, SkipReason, Worthiness, judge

LESSONS = [
    (
        "when you close a channel in go, only the sender should do it, a send on a closed channel panics",
        "EngineeringLesson",
    ),
    (
        "Don't build SQL by concatenating strings, it opens you up to injection; use bound parameters instead.",
        "EngineeringLesson",
    ),
    ("here httpx beats requests, the retry middleware only works with it", "RepositoryConvention"),
    ("please always run `make proto` before you commit changes under api/", "RepositoryConvention"),
    (
        "you forgot to bump the chart version again: every time you touch charts/, bump `version` in Chart.yaml",
        "RepositoryConvention",
    ),
    ("stop catching Throwable. catch the exceptions you can handle", "EngineeringLesson"),
    ("prefer composition over inheritance", "EngineeringLesson"),
    ("never log request bodies unless they are redacted", "EngineeringLesson"),
    ("A goroutine must have a way to stop, otherwise it leaks", "EngineeringLesson"),
    (
        "we got burned by Float prices last month - totals were off by a cent. from now on use Decimal in billing/",
        "RepositoryConvention",
    ),
    ("nit: this should be a `const` since it never changes", "EngineeringLesson"),
    ("Make the retry idempotent rather than hoping the first call failed", "EngineeringLesson"),
    ("Timestamps without a zone are ambiguous. Store everything in UTC.", "EngineeringLesson"),
    ("- use `errors.Is`\n- don't compare error strings, they change between versions", "EngineeringLesson"),
    ("In diesem Repo nutzen wir pnpm statt npm, weil der Lockfile-Check sonst fehlschlägt.", "RepositoryConvention"),
    (
        "Wenn du eine Spalte umbenennst, leg erst eine neue an, nie direkt umbenennen, weil alte Pods noch laufen.",
        "EngineeringLesson",
    ),
    (
        "Quand tu écris un test, n'utilise jamais l'heure réelle, parce que ça rend les tests instables.",
        "EngineeringLesson",
    ),
    (
        "Cuando captures una excepción, registra el contexto en vez de silenciarla, porque si no nadie ve el fallo.",
        "EngineeringLesson",
    ),
    ("We use structlog not logging", "RepositoryConvention"),
    ("for money amounts use integers of cents, floats round", "EngineeringLesson"),
    ("in tests use fakes instead of mocks because mocks pin the implementation", "EngineeringLesson"),
    ("tests live next to the code here, not in a tests/ folder", "RepositoryConvention"),
    ("if a promise is not awaited its rejection is lost, so always await or return it", "EngineeringLesson"),
    ("every new endpoint has to be added to `openapi.yaml`, the client generator reads it", "RepositoryConvention"),
    ("Don't use `any` in TypeScript. Use `unknown` and narrow it.", "EngineeringLesson"),
    ("useMemo isn't for correctness. Never rely on it to keep a value.", "EngineeringLesson"),
    ("before dropping a column make sure no running version reads it", "EngineeringLesson"),
    ("commit messages follow conventional commits in this repo", "RepositoryConvention"),
    (
        "Our CI has no docker, so integration tests need the `fake-gcs` fixture and not testcontainers",
        "RepositoryConvention",
    ),
    ("terraform: pin provider versions, otherwise a new major breaks the plan", "EngineeringLesson"),
    (
        "k8s readiness probes should not check the database. If the DB is down every pod is taken out at once.",
        "EngineeringLesson",
    ),
    ("avoid `SELECT *` in views", "EngineeringLesson"),
    ("Use parameterized logging, not f-strings, so that messages group in Sentry", "EngineeringLesson"),
    ("You must never hold a lock while calling user code, it deadlocks", "EngineeringLesson"),
    ("index foreign keys when adding them", "EngineeringLesson"),
    ("the design system's Button goes everywhere, don't use a raw <button>", "RepositoryConvention"),
    ("To avoid thundering herds, add jitter to retries", "EngineeringLesson"),
    ("feature flags go through FlagService.isOn(), not env vars", "RepositoryConvention"),
    ("Let exceptions bubble up to the boundary; catch-and-log in the middle hides the stack", "EngineeringLesson"),
    ("pandas: don't chain indexing, assign with .loc, otherwise you write to a copy", "EngineeringLesson"),
    ("Free what you malloc in the same function, or document who owns it.", "EngineeringLesson"),
    ("In C++ pass big structs by const reference", "EngineeringLesson"),
    ("I prefer small commits, in all my projects", "UserPreference"),
    ("from now on keep answers short", "CommunicationPreference"),
    ("Don't apologize all the time, just fix it", "CommunicationPreference"),
    ("always show me the plan before you touch files, I want to approve it", "UserPreference"),
    ("Explain the why when you propose a change, I'm new to Rust", "CommunicationPreference"),
    ("Every time you add an env var, document it, or the next deploy will fail silently.", "EngineeringLesson"),
    ("dont swallow the ctx.Err(), return it. callers need to know if they were cancelled", "EngineeringLesson"),
    ("Rather than sleeping in tests, poll for the condition with a deadline.", "EngineeringLesson"),
    ("Instead of deleting rows, set deleted_at, since audits need them", "EngineeringLesson"),
    ("A retry without a cap is an outage amplifier: cap it at 5 and add jitter", "EngineeringLesson"),
    ("a flaky test is worse than none. Quarantine it the same day", "EngineeringLesson"),
    ("hooks can't be called conditionally, move the if inside the effect", "EngineeringLesson"),
    ("please check the return value of write() - partial writes happen on sockets", "EngineeringLesson"),
    ("Could you please always close the response body in Go? It leaks connections otherwise.", "EngineeringLesson"),
    ("for new screens use the `AppScaffold` widget, raw Scaffold misses our offline banner", "RepositoryConvention"),
    ("we don't use default exports here", "RepositoryConvention"),
    ("migrations are applied by the deploy job. don't run them from the app's startup code", "RepositoryConvention"),
    (
        (
            "Our team squashes PRs: keep the PR title in conventional commit format because it becomes the "
            "commit message"
        ),
        "RepositoryConvention",
    ),
    ("nope, not lodash. we have src/shared/collections for that", "RepositoryConvention"),
    (
        "DTOs belong in packages/contracts and not next to the controllers, the mobile app imports them too",
        "RepositoryConvention",
    ),
    ("Catching BaseException also catches KeyboardInterrupt. Catch Exception.", "EngineeringLesson"),
    ("must validate file uploads by content, never by extension", "EngineeringLesson"),
    ("Prefer early returns. Nested ifs are hard to follow.", "EngineeringLesson"),
    ("when the input comes from users, escape it on output rather than on input", "EngineeringLesson"),
    ("if there's no timeout on an http client it hangs forever; always set one", "EngineeringLesson"),
    (
        "mutable default args in python are shared between calls: default to None and create the list inside",
        "EngineeringLesson",
    ),
    (
        "Terraform state for prod is in the acme-tf bucket, never run apply from a laptop - only the pipeline may",
        "RepositoryConvention",
    ),
    ("use our `Money` type for prices, not double", "RepositoryConvention"),
    ("Don't compare floats with ==. Use a tolerance.", "EngineeringLesson"),
    ("Never disable a failing test to get CI green, fix it or delete it", "EngineeringLesson"),
    ("Before you optimise, profile. Guesses are usually wrong.", "EngineeringLesson"),
    ("Cache keys must include the tenant id, otherwise customers see each other's data", "EngineeringLesson"),
    (
        "for loops that await inside run one after the other; collect the promises and use Promise.all",
        "EngineeringLesson",
    ),
    (
        "Bitte in diesem Projekt keine neuen npm-Pakete ohne Rücksprache, weil die Lizenzprüfung Wochen dauert",
        "RepositoryConvention",
    ),
    ("Bevor du eine Exception fängst, überleg, ob du sie behandeln kannst; sonst lass sie durch.", "EngineeringLesson"),
    (
        (
            "N'utilise pas float pour les montants, utilise des entiers en centimes, car les arrondis faussent "
            "les totaux"
        ),
        "EngineeringLesson",
    ),
    ("Nunca guardes contraseñas en texto plano; usa bcrypt porque una filtración las expondría", "EngineeringLesson"),
    ("Aquí usamos pnpm en vez de npm", "RepositoryConvention"),
    ("写测试时不要用真实时间，因为会不稳定", "EngineeringLesson"),
    ("you used a string for the status again. use the enum", "EngineeringLesson"),
    ("the lock has to be taken before reading the counter, not after", "EngineeringLesson"),
    ("no magic numbers, name them", "EngineeringLesson"),
    ("React keys: don't use the index, reordering breaks state", "EngineeringLesson"),
    ("On Windows paths compare case-insensitively, so normalise before comparing", "EngineeringLesson"),
    ("log via `zap`, `fmt.Println` never reaches Loki here", "RepositoryConvention"),
    ("API handlers return problem+json in this service, don't hand-roll error bodies", "RepositoryConvention"),
    ("Treat warnings as errors in CI", "EngineeringLesson"),
    ("keep transactions short, long ones block vacuum", "EngineeringLesson"),
    ("I always want tests written before the implementation, whatever the project", "UserPreference"),
    ("be blunt with me when my idea is bad", "CommunicationPreference"),
    ("No more bullet lists in your replies please, write plain paragraphs", "CommunicationPreference"),
    ("stop summarising what you just did at the end of every reply", "CommunicationPreference"),
    ("Don't create new branches for me, in any project, I do that myself", "UserPreference"),
    ("Wenn du mir etwas erklärst, fass dich kurz", "CommunicationPreference"),
    (
        (
            "When you touch anything under infra/terraform run `terraform fmt` first, the pipeline chokes on "
            "unformatted files and I have to re-run it"
        ),
        "RepositoryConvention",
    ),
    ("you forgot to close the cursor again!! every time you open one, wrap it in a `with` block", "EngineeringLesson"),
    ("Never return a mutable list from a getter unless you copy it first", "EngineeringLesson"),
    (
        "Every public function in the SDK must have a doc comment, otherwise our docs build fails",
        "RepositoryConvention",
    ),
    (
        (
            "We got burned by ON DELETE CASCADE last month - an admin removed one tenant and 40k invoices went "
            "with it. From now on soft-delete tenants"
        ),
        "EngineeringLesson",
    ),
    ("Rather than stubbing the clock globally, inject a Clock into the service", "EngineeringLesson"),
    (
        (
            "SQLite takes a write lock for the whole file. Keep write transactions short and never hold one "
            "across a network call."
        ),
        "EngineeringLesson",
    ),
    ("nit: this should be an Option instead of a sentinel -1, since callers forget to check", "EngineeringLesson"),
    (
        (
            "tbh I'd go with keyset pagination over OFFSET for anything that grows, offset reads and throws away "
            "all the rows before it"
        ),
        "EngineeringLesson",
    ),
    (
        (
            "wenn du in diesem Repo eine neue Tabelle anlegst, vergiss das audit-Flag nicht, sonst taucht sie "
            "nicht im Export auf"
        ),
        "RepositoryConvention",
    ),
    (
        (
            "Die Übersetzungen bitte nie direkt in die JSON-Dateien schreiben, sondern über das Skript "
            "tools/i18n, weil die Dateien beim Build überschrieben werden"
        ),
        "RepositoryConvention",
    ),
    (
        (
            "Antes de borrar una columna, despliega primero el código que ya no la lee, porque los pods viejos "
            "siguen consultándola"
        ),
        "EngineeringLesson",
    ),
    (
        "En este proyecto las fechas se guardan en UTC, no en hora local, porque los informes se cruzan entre países",
        "RepositoryConvention",
    ),
    (
        (
            "hey, small thing: in our Go services errors get wrapped with %w and not %v, otherwise errors.Is "
            "can't see through them"
        ),
        "RepositoryConvention",
    ),
    (
        "pls don't hardcode colors in the views, take them from `Theme.colors` in lib/theme so dark mode works",
        "RepositoryConvention",
    ),
    ("the reason CI was flaky: tests shared one temp dir. Give each test its own via `tmp_path`.", "EngineeringLesson"),
    (
        "Unless the user is waiting on the answer, push work to a background job instead of doing it in the request",
        "EngineeringLesson",
    ),
    (
        (
            "Two things about Dockerfiles:\n* put the lockfile copy before the source copy, so layers cache\n* "
            "run as non-root"
        ),
        "EngineeringLesson",
    ),
    ("A component that fetches must handle loading and error states too", "EngineeringLesson"),
    (
        (
            "I keep seeing `unwrap()` in request handlers. Return a Result and map it to a status, a panic takes "
            "the whole worker down."
        ),
        "EngineeringLesson",
    ),
    (
        "Swift: mark closures that outlive the call `[weak self]`, or the view controller never gets freed",
        "EngineeringLesson",
    ),
    ("you're comparing passwords with == again, that leaks timing. use hmac.compare_digest", "EngineeringLesson"),
    (
        "We only talk to the billing service through the queue. No direct HTTP calls to it, it can't take the load.",
        "RepositoryConvention",
    ),
    ("If a query can return more than a page, add a LIMIT.", "EngineeringLesson"),
    ("Feature branches are cut from develop here, not main", "RepositoryConvention"),
    ("for any kubernetes Job set ttlSecondsAfterFinished, finished pods pile up otherwise", "EngineeringLesson"),
    (
        "as a reviewer: tests that assert on log text break with every rewording. Assert on behaviour instead.",
        "EngineeringLesson",
    ),
    ("Make sure that dates sent to an API carry an offset", "EngineeringLesson"),
    (
        "it's `make test-fast` for local runs in this repo, plain pytest pulls in the slow browser suite",
        "RepositoryConvention",
    ),
    ("Before merging anything that touches the pricing rules get a review from Anna's team", "RepositoryConvention"),
    (
        (
            "When a retry is added around a POST, send an idempotency key with it and not just the same body, "
            "because the first attempt may have gone through"
        ),
        "EngineeringLesson",
    ),
    (
        "don't spawn a thread per request, it falls over at a few hundred; use a bounded pool instead",
        "EngineeringLesson",
    ),
    ("ruff beats flake8 + isort here, one config and it's in the pre-commit already", "RepositoryConvention"),
    ("stop using sleep() to wait for the page. use an explicit wait on the element", "EngineeringLesson"),
    ("prefer a struct of arrays over an array of structs in hot loops, the cache lines stay full", "EngineeringLesson"),
    ("never interpolate user input into a shell command unless it went through shlex.quote", "EngineeringLesson"),
    ("Migrations must be reversible, otherwise a failed deploy can't be rolled back", "EngineeringLesson"),
    (
        (
            "in the android app we read config through RemoteConfig wrapper in core/config, not BuildConfig. "
            "BuildConfig is baked at compile time"
        ),
        "RepositoryConvention",
    ),
    (
        "careful with `==` on BigDecimal in java, it compares references. compareTo() is what you want",
        "EngineeringLesson",
    ),
    (
        "If you catch an exception only to log it, rethrow it after, the caller still thinks everything went fine",
        "EngineeringLesson",
    ),
    (
        "our linter config bans console.log; use the `logger` from @acme/log so the request id is attached",
        "RepositoryConvention",
    ),
    ("the first arg to useEffect can't be async. define the function inside and call it", "EngineeringLesson"),
    ("JSON numbers lose precision above 2^53, so ids go over the wire as strings", "EngineeringLesson"),
    ("PHP: use `===` when comparing strings that may look like numbers, `==` casts them", "EngineeringLesson"),
    (
        (
            "new env vars go in both .env.example and deploy/values.yaml, last time staging came up without the "
            "Stripe key"
        ),
        "RepositoryConvention",
    ),
    (
        (
            "Avoid boolean parameters in public APIs, nobody knows at the call site what true means - take an "
            "enum or split the function"
        ),
        "EngineeringLesson",
    ),
    ("C++: hold objects in unique_ptr and don't call delete by hand. exceptions skip your delete", "EngineeringLesson"),
    (
        (
            "when writing a Rails migration that adds an index on a big table pass `algorithm: :concurrently`, "
            "it'd lock writes otherwise"
        ),
        "EngineeringLesson",
    ),
    (
        (
            "fixtures for this project live in testdata/golden - please regenerate them with `go test -update` "
            "rather than editing by hand"
        ),
        "RepositoryConvention",
    ),
    ("Do the permission check in the query, not after loading the row", "EngineeringLesson"),
    ("A cron job has to be safe to run twice, because the scheduler sometimes fires it twice.", "EngineeringLesson"),
    ("PRs to the infra repo need two approvals, so don't merge with one", "RepositoryConvention"),
    ("ML: split by user before you shuffle. rows from the same user on both sides leak the label", "EngineeringLesson"),
    ("why are we retrying on 400? only retry 5xx and timeouts, a bad request stays bad", "EngineeringLesson"),
    ("tickets go in the branch name (ABC-123-short-title), Jira links them that way", "RepositoryConvention"),
    ("In all my repos I want the tests in the same commit as the change, not in a follow-up", "UserPreference"),
    ("Please don't open with a summary of my question, go straight to the answer", "CommunicationPreference"),
    ("tell me when you're guessing instead of sounding sure", "CommunicationPreference"),
    (
        (
            "run the formatter yourself before you hand something over, I don't want formatting diffs in any of "
            "my projects"
        ),
        "UserPreference",
    ),
    ("talk to me like a colleague, no corporate tone", "CommunicationPreference"),
    ("I like my commits small and with a body that says why, same for every project", "UserPreference"),
    ("whatever repo we're in, leave my editor config files alone", "UserPreference"),
    ("Don't touch files I didn't mention, in any of my projects", "UserPreference"),
    ("For me, TDD: failing test first, then the code. That goes for all my work.", "UserPreference"),
    ("never amend my commits, make a new one on top - I do that everywhere", "UserPreference"),
    ("Skip the pleasantries, just give me the code", "CommunicationPreference"),
    ("When I ask a yes/no question start with yes or no, then the details", "CommunicationPreference"),
    ("I'm colorblind so don't describe things by color in your answers", "CommunicationPreference"),
    ("please write numbers with units when you report timings to me", "CommunicationPreference"),
    ("explain it to me like I've never touched kubernetes, I'm coming from embedded", "CommunicationPreference"),
    ("Don't paste the whole file back at me, only the lines that changed", "CommunicationPreference"),
    ("say so when you don't know, don't make something up", "CommunicationPreference"),
    ("if my plan has a hole, tell me before you start, bluntly", "CommunicationPreference"),
    (
        "the staging db is shared, so run destructive specs against the docker one in this project",
        "RepositoryConvention",
    ),
    ("Only the release bot writes to CHANGELOG.md", "RepositoryConvention"),
    ("Our lint rule forbids relative imports across packages, use the @app alias", "RepositoryConvention"),
    ("we version the API in the path here, never in a header", "RepositoryConvention"),
    (
        "backend errors are reported through Errors.notify in this codebase; Rails.logger alone doesn't page anybody",
        "RepositoryConvention",
    ),
    (
        "use `just` targets instead of calling cargo directly here, they set the right feature flags",
        "RepositoryConvention",
    ),
    ("On this team every PR gets a screenshot when it touches UI", "RepositoryConvention"),
    ("Storybook stories are mandatory for ui/ components, review bounces them otherwise", "RepositoryConvention"),
    ("a select inside a loop is an N+1. preload the association", "EngineeringLesson"),
    ("Dates: parse them at the boundary and pass Date objects inward", "EngineeringLesson"),
    ("the order of map iteration in Go is random, sort the keys if the output has to be stable", "EngineeringLesson"),
    (
        "An API that returns null for empty lists forces checks on every caller. Return an empty list.",
        "EngineeringLesson",
    ),
    ("watch out with `git rebase` on a shared branch, everyone else has to reset", "EngineeringLesson"),
    ("Compare-and-swap needs a retry loop, a single attempt loses updates under load", "EngineeringLesson"),
    ("passwords are hashed with argon2 or bcrypt, md5 and sha1 are out", "EngineeringLesson"),
    ("it's a bug to hold a mutex across an await", "EngineeringLesson"),
    (
        (
            "you left the file handle open again in the exporter. wrap opens in a with block, on Windows the "
            "file stays locked otherwise"
        ),
        "EngineeringLesson",
    ),
    (
        (
            "Reviewed the retry PR: exponential backoff needs jitter, since a fleet that fails together would "
            "come back together."
        ),
        "EngineeringLesson",
    ),
    (
        (
            "hmm no. if the webhook handler throws, stripe retries for three days, so answer 200 first and do "
            "the work in a job"
        ),
        "EngineeringLesson",
    ),
    (
        "Hooks under src/hooks have to start with `use` and be exported by name, our codegen picks them up by that",
        "RepositoryConvention",
    ),
    (
        "one assert per behaviour please, a test that checks nine things at once tells me nothing when it goes red",
        "EngineeringLesson",
    ),
    (
        (
            "translations: add keys to en.json only, the rest is pulled from Lokalise at build time and your "
            "edits get overwritten"
        ),
        "RepositoryConvention",
    ),
    (
        (
            "memoizing a component whose props are new objects every render buys you nothing, hoist the object "
            "out or useMemo it"
        ),
        "EngineeringLesson",
    ),
    ("Whatever you do, don't let a finalizer throw. It takes the process down in .NET", "EngineeringLesson"),
    (
        "We keep SQL out of the handlers. Queries live in internal/store, one file per table, handlers call those",
        "RepositoryConvention",
    ),
    (
        (
            "gradle: declare dependencies as `implementation` unless they show up in your public signatures, "
            "`api` leaks them to every consumer and slows the build"
        ),
        "EngineeringLesson",
    ),
    (
        (
            "A migration that backfills and alters in one go locks the table for minutes, that's how we lost an "
            "hour on Tuesday. Split it in two."
        ),
        "EngineeringLesson",
    ),
    (
        "Better to fail at startup when a required setting is missing than at 3am on the first request",
        "EngineeringLesson",
    ),
    (
        (
            "the money columns here are numeric(12,2); reach for Decimal in python and never float, "
            "reconciliation is off by cents if you do"
        ),
        "RepositoryConvention",
    ),
    (
        (
            "it'd be nicer to take an interface and return a struct, callers can then define the small interface "
            "they need"
        ),
        "EngineeringLesson",
    ),
    ("Careful: `Array.sort` sorts strings by default. Pass a comparator for numbers.", "EngineeringLesson"),
    ("If you have to sleep in a test, the test is wrong: wait on the event", "EngineeringLesson"),
    (
        "please name branches after the Linear ticket (eng-123-foo), the preview env url is built from it",
        "RepositoryConvention",
    ),
    (
        (
            "Only catch what you can handle. A bare except around the parser hid a KeyboardInterrupt for a whole "
            "afternoon."
        ),
        "EngineeringLesson",
    ),
    ("no axios please, we've got `src/lib/http.ts` which adds the csrf header", "RepositoryConvention"),
    (
        (
            "async functions that aren't awaited lose their exceptions; add await, or attach a catch if it's "
            "fire and forget"
        ),
        "EngineeringLesson",
    ),
    (
        "On a retry reuse the same request id and don't generate a fresh one, the server dedupes on it",
        "EngineeringLesson",
    ),
    (
        "Specs for jobs belong next to the job in app/jobs, the CI shard list is generated from that layout",
        "RepositoryConvention",
    ),
    ("when you log an exception pass the exception itself, not str(e): you lose the stack", "EngineeringLesson"),
    ("Treat the order of query results as undefined unless there is an ORDER BY", "EngineeringLesson"),
    (
        "everything that goes to kafka is wrapped in our Envelope type, raw payloads get dropped by the router",
        "RepositoryConvention",
    ),
    (
        "Validate on the server too, whatever the form already checks. curl doesn't run your JavaScript.",
        "EngineeringLesson",
    ),
    (
        "docker: combine apt-get update and install into one RUN, a cached update layer gives you stale packages",
        "EngineeringLesson",
    ),
    (
        "For this repo, generated code is committed, so run `make gen` and include the diff in your PR",
        "RepositoryConvention",
    ),
    (
        "Statt den ganzen Datensatz zu laden, lies ihn in Blöcken, sonst reicht der Speicher auf den Workern nicht.",
        "EngineeringLesson",
    ),
    (
        (
            "In unserem Projekt gehören Feature-Flags in flags.yaml, nicht in Umgebungsvariablen, weil das "
            "Admin-Panel nur die Datei liest"
        ),
        "RepositoryConvention",
    ),
    (
        (
            "No captures Exception genérica en los controladores; deja que suba al middleware, que ya la "
            "registra con el id de la petición"
        ),
        "EngineeringLesson",
    ),
    (
        "Aquí los nombres de las migraciones llevan el número del ticket, porque soporte las busca así",
        "RepositoryConvention",
    ),
    (
        (
            "Ne mets pas de logique dans les constructeurs : un constructeur qui appelle le réseau rend les "
            "tests impossibles"
        ),
        "EngineeringLesson",
    ),
    ("I review on my phone a lot, so keep PRs under 300 lines wherever you work for me", "UserPreference"),
    ("don't ever rebase or force push something of mine without checking with me first", "UserPreference"),
    ("please answer the question I asked before you suggest other things", "CommunicationPreference"),
    ("if you're not sure say that up front, I don't mind", "CommunicationPreference"),
    ("one commit per logical change, that's how I want it in every repo", "UserPreference"),
    ("floats can't be compared for equality, that's what math.isclose is for", "EngineeringLesson"),
    ("a mutex protects data, not code, so keep it next to the field it guards", "EngineeringLesson"),
    ("Idempotent consumers save you: the broker will deliver twice sooner or later", "EngineeringLesson"),
    ("the happy path belongs on the left edge, errors return early", "EngineeringLesson"),
    ("we're on pnpm now, npm install breaks the workspace links", "RepositoryConvention"),
    ("all our dates are stored as UTC and rendered in the user's zone by the front end", "RepositoryConvention"),
    ("here controllers stay thin and services hold the logic", "RepositoryConvention"),
    (
        "nobody calls the payment API directly in this service, PaymentGateway is the only way in",
        "RepositoryConvention",
    ),
    ("catch blocks that only log hide outages", "EngineeringLesson"),
    ("global mutable state makes tests depend on their order, inject it", "EngineeringLesson"),
    (
        (
            "a foreign key without an index slows every delete on the parent table down to a scan, so one goes "
            "with the other"
        ),
        "EngineeringLesson",
    ),
    ("Exceptions are not for control flow", "EngineeringLesson"),
    ("returning null from a collection getter is asking for an NPE, an empty list does the job", "EngineeringLesson"),
    ("log lines with user emails are a GDPR problem, mask them", "EngineeringLesson"),
    ("for us a feature is done when the docs page under docs/features exists", "RepositoryConvention"),
    ("semver matters for packages/ui: a renamed prop is a major", "RepositoryConvention"),
    ("CI caches keyed on the branch never hit on a fresh one, key them on the lockfile hash", "EngineeringLesson"),
    ("Our convention is one component per file, file name equals component name", "RepositoryConvention"),
    ('shell: quoting "$@" is the only form that keeps arguments with spaces intact', "EngineeringLesson"),
    ("no test should hit the network", "EngineeringLesson"),
    ("imports from ../../ are a smell in this codebase, there's an alias for each package", "RepositoryConvention"),
]

NO_LESSONS = [
    ("The API is down since yesterday", SkipReason.NOT_REUSABLE),
    ("Black Friday is on the 28th, traffic will triple", SkipReason.NOT_REUSABLE),
    ("Maria owns the billing service", SkipReason.NOT_REUSABLE),
    ("our biggest customer is in Japan", SkipReason.NOT_REUSABLE),
    ("UserRepository.find calls Cache.get before the DB", SkipReason.CODE_FACT),
    ("The retry logic is in lib/net/backoff.rb", SkipReason.CODE_FACT),
    ("`parseConfig` is defined in src/config.ts and used by cli.ts", SkipReason.CODE_FACT),
    ("OrderService implements IOrderService", SkipReason.CODE_FACT),
    ("great job on the refactor!", SkipReason.NOT_REUSABLE),
    ("this is perfect, ship it", SkipReason.NOT_REUSABLE),
    ("works like a charm now, thank you", SkipReason.NOT_REUSABLE),
    ("Where do we validate the token?", SkipReason.NOT_REUSABLE),
    ("why is this so slow", SkipReason.NOT_REUSABLE),
    ("should we use redis or memcached here?", SkipReason.NOT_REUSABLE),
    ("could this be done with a single query?", SkipReason.NOT_REUSABLE),
    ("I've updated the tests and fixed the linter errors. Next I'll look at the docs.", SkipReason.ASSISTANT_PROSE),
    ("Let me check the config first, then run the migration.", SkipReason.ASSISTANT_PROSE),
    ("Next steps:\n- wire up the handler\n- add tests\n- update docs", SkipReason.ASSISTANT_PROSE),
    ("Done: schema. In progress: importer. Blocked: nothing.", SkipReason.ASSISTANT_PROSE),
    (
        "FAILED tests/test_api.py::test_login - AssertionError: 401 != 200\n1 failed, 12 passed in 3.21s",
        SkipReason.LOG_OUTPUT,
    ),
    (
        "Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\n    main()\nKeyError: 'user'",
        SkipReason.LOG_OUTPUT,
    ),
    ("$ git status\nOn branch main\nnothing to commit, working tree clean", SkipReason.NOT_REUSABLE),
    ("2024-05-01 12:00:01 ERROR db connection refused\n2024-05-01 12:00:02 INFO retrying", SkipReason.LOG_OUTPUT),
    ("npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree", SkipReason.LOG_OUTPUT),
    ("make it better", SkipReason.TOO_VAGUE),
    ("be more careful", SkipReason.TOO_VAGUE),
    ("clean up the code please", SkipReason.TOO_VAGUE),
    ("error[E0502]: cannot borrow `v` as mutable\n  --> src/main.rs:4:5", SkipReason.LOG_OUTPUT),
    ("I think the new layout is a big improvement over the old one, nice work", SkipReason.NOT_REUSABLE),
    ("We're migrating to Postgres 16 next month", SkipReason.NOT_REUSABLE),
    ("The deploy took 14 minutes today", SkipReason.NOT_REUSABLE),
    ("go: downloading golang.org/x/sys v0.5.0\nok  \texample.com/foo\t0.012s", SkipReason.LOG_OUTPUT),
    ("The build is green again and all checks pass.", SkipReason.NOT_REUSABLE),
    ("Python 3.13 was released in October", SkipReason.NOT_REUSABLE),
    ("Prod runs on three nodes in Frankfurt", SkipReason.NOT_REUSABLE),
    ("we hired two new backend devs", SkipReason.NOT_REUSABLE),
    ("The sprint ends on Friday and the demo is at 3pm", SkipReason.NOT_REUSABLE),
    ("Stripe charges 1.4% for EU cards", SkipReason.NOT_REUSABLE),
    ("handleSubmit calls validateForm and then useCreateOrder", SkipReason.CODE_FACT),
    ("there's a function called retry_with_backoff in utils/net.py", SkipReason.CODE_FACT),
    ("the Session class is imported by auth.py, views.py and admin.py", SkipReason.CODE_FACT),
    ("MAX_CONN is set in config/db.yml", SkipReason.CODE_FACT),
    ("oh wow that is so much faster, thanks", SkipReason.NOT_REUSABLE),
    ("nice, tests are green", SkipReason.NOT_REUSABLE),
    ("Love how you split the module", SkipReason.NOT_REUSABLE),
    ("what's the difference between the two clients", SkipReason.NOT_REUSABLE),
    ("does the worker pick up config changes without a restart?", SkipReason.NOT_REUSABLE),
    ("any idea why CI is red?", SkipReason.NOT_REUSABLE),
    ("I went through the handlers and moved validation into middleware. All tests pass.", SkipReason.ASSISTANT_PROSE),
    ("I'm going to refactor the parser now, then come back to the failing test.", SkipReason.ASSISTANT_PROSE),
    ("Summary: renamed 3 files, deleted 1, updated imports.", SkipReason.ASSISTANT_PROSE),
    ("Here's what I changed: the query now uses a join, and the index covers it.", SkipReason.ASSISTANT_PROSE),
    ("--- FAIL: TestParse (0.00s)\n    parse_test.go:14: got 3, want 4\nFAIL\nexit status 1", SkipReason.LOG_OUTPUT),
    ("$ docker ps\nCONTAINER ID   IMAGE     STATUS\nabc123         nginx     Up 3 minutes", SkipReason.COMMAND_OUTPUT),
    ("src/app.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.", SkipReason.LOG_OUTPUT),
    ("[INFO] BUILD SUCCESS\n[INFO] Total time: 12.3 s", SkipReason.LOG_OUTPUT),
    (
        "error: failed to push some refs to 'origin'\nhint: Updates were rejected because the remote contains work",
        SkipReason.LOG_OUTPUT,
    ),
    ("do better", SkipReason.TOO_VAGUE),
    ("this needs to be nicer", SkipReason.TOO_VAGUE),
    ("We will finish the importer by Thursday, then start on the exporter.", SkipReason.NOT_REUSABLE),
    ("the login page looks great on mobile now", SkipReason.NOT_REUSABLE),
    ("CI runs on self-hosted runners since March", SkipReason.NOT_REUSABLE),
    ("the old admin panel will be switched off at the end of Q2", SkipReason.NOT_REUSABLE),
    ("HTTP 429 means too many requests", SkipReason.NOT_REUSABLE),
    ("Our Sentry plan keeps events for 30 days", SkipReason.NOT_REUSABLE),
    (
        "The webhook signature gets verified in `StripeController#create` before the job is enqueued",
        SkipReason.CODE_FACT,
    ),
    ("applyDiscount() is only called from CartTotals", SkipReason.CODE_FACT),
    ("src/auth holds login.ts, logout.ts and session.ts", SkipReason.CODE_FACT),
    ("Three classes extend BaseExporter: CsvExporter, XlsxExporter and PdfExporter", SkipReason.CODE_FACT),
    ("the feature flag for the new checkout is called checkout_v2 and sits in flags.rb", SkipReason.CODE_FACT),
    ("you nailed the edge cases this time", SkipReason.NOT_REUSABLE),
    ("That refactor reads really well, thanks for taking the time", SkipReason.NOT_REUSABLE),
    ("Much better than my version!", SkipReason.NOT_REUSABLE),
    ("how do I run a single spec in this repo?", SkipReason.NOT_REUSABLE),
    ("Can the importer handle files over 2 GB?", SkipReason.NOT_REUSABLE),
    ("Would it make sense to move this into a worker?", SkipReason.NOT_REUSABLE),
    ("which branch should this go to", SkipReason.TOO_VAGUE),
    (
        "Okay, the parser is in place. Next up is the error handling, after that I will write the docs.",
        SkipReason.ASSISTANT_PROSE,
    ),
    ("Working through the failing specs, 4 of 11 fixed so far.", SkipReason.NOT_REUSABLE),
    (
        (
            "I looked into the memory issue: the cache grows because entries are never evicted. I've added an "
            "LRU bound and a test for it."
        ),
        SkipReason.ASSISTANT_PROSE,
    ),
    ("First I'll reproduce the bug, then bisect, then fix it.", SkipReason.ASSISTANT_PROSE),
    ("> vite build\n✓ 312 modules transformed.\ndist/index.html  0.46 kB", SkipReason.LOG_OUTPUT),
    ('ERROR: relation "users" does not exist at character 15', SkipReason.LOG_OUTPUT),
    (
        "panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.main()",
        SkipReason.LOG_OUTPUT,
    ),
    ("Successfully installed numpy-1.26.4 pandas-2.2.1", SkipReason.NOT_REUSABLE),
    ("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b", SkipReason.LOG_OUTPUT),
    (
        (
            "10:42:07 [worker-3] job 8812 failed: timeout after 30s, will retry\n10:42:37 [worker-3] job 8812 "
            "failed: timeout after 30s, giving up"
        ),
        SkipReason.LOG_OUTPUT,
    ),
    ("Redis is on 6.2 in production, 7 everywhere else", SkipReason.NOT_REUSABLE),
    ("the nightly backup runs at 02:00 UTC and takes around forty minutes", SkipReason.NOT_REUSABLE),
    ("Kenji left the team in May, his tickets went to Sofia", SkipReason.NOT_REUSABLE),
    ("We have about 12k daily active users, most of them on Android", SkipReason.NOT_REUSABLE),
    ("TLS 1.0 support was dropped by the payment provider last week", SkipReason.NOT_REUSABLE),
    ("the contract with the hosting company runs out in October", SkipReason.NOT_REUSABLE),
    ("iOS 18 changed how background tasks are scheduled", SkipReason.NOT_REUSABLE),
    ("our SLA says 99.9 for the API", SkipReason.NOT_REUSABLE),
    ("The load balancer has a 60 second idle timeout", SkipReason.NOT_REUSABLE),
    ("there are two environments, staging and prod", SkipReason.NOT_REUSABLE),
    ("TokenBucket is instantiated once in server.go and handed to every handler", SkipReason.CODE_FACT),
    ("formatPrice in utils/money.ts is what the cart and the invoice page use", SkipReason.CODE_FACT),
    ("The cron entry for the digest mail is in deploy/crontab, line 14", SkipReason.CODE_FACT),
    ("`Order::total` sums the line items and then calls `applyTax`", SkipReason.CODE_FACT),
    ("the GraphQL schema file is schema/public.graphql, generated types end up in src/gen", SkipReason.CODE_FACT),
    ("UserMailer inherits from ApplicationMailer and overrides deliver_later", SkipReason.CODE_FACT),
    ("PAYMENT_TIMEOUT is read in three places: client.py, retry.py and webhook.py", SkipReason.CODE_FACT),
    ("main.tf line 88 creates the queue that worker.tf subscribes to", SkipReason.CODE_FACT),
    ("brilliant, that's way faster than I expected", SkipReason.NOT_REUSABLE),
    ("Thank you! The explanation of the race was really clear.", SkipReason.NOT_REUSABLE),
    ("ok that looks right to me", SkipReason.NOT_REUSABLE),
    ("nice catch on the off-by-one 👍", SkipReason.NOT_REUSABLE),
    ("the tests you wrote are great, very readable", SkipReason.NOT_REUSABLE),
    ("yes, exactly what I had in mind", SkipReason.NOT_REUSABLE),
    ("is it safe to delete the legacy folder?", SkipReason.NOT_REUSABLE),
    (
        "how come the cache isn't hit on the second request? I'd have thought the key is the same",
        SkipReason.NOT_REUSABLE,
    ),
    ("do you know which version of node we run in CI", SkipReason.NOT_REUSABLE),
    ("what would you suggest for storing the sessions, redis or the db?", SkipReason.NOT_REUSABLE),
    ("Did the last change touch the billing code?", SkipReason.NOT_REUSABLE),
    ("where's the best place to put a new migration?", SkipReason.NOT_REUSABLE),
    (
        "I have now added the missing index and re-ran the benchmark; p95 went from 800ms to 90ms.",
        SkipReason.ASSISTANT_PROSE,
    ),
    ("Sure! I'll start by reading the existing tests and then write the new endpoint.", SkipReason.ASSISTANT_PROSE),
    ("Now that the types are fixed, I'm moving on to the handlers.", SkipReason.ASSISTANT_PROSE),
    (
        "Progress so far: 3 of 5 tables migrated, the remaining two need a maintenance window.",
        SkipReason.ASSISTANT_PROSE,
    ),
    ("TODO\n- update readme\n- remove feature flag\n- tell support", SkipReason.ASSISTANT_PROSE),
    (
        "It seems the failure comes from a stale lock file. I removed it and the build passes now.",
        SkipReason.ASSISTANT_PROSE,
    ),
    (
        "To do this I would first extract the interface, then write an adapter, and finally switch the callers over.",
        SkipReason.ASSISTANT_PROSE,
    ),
    (
        "The refactoring is complete. All callers use the new client and the old one is gone.",
        SkipReason.ASSISTANT_PROSE,
    ),
    (
        (
            "remote: Resolving deltas: 100% (12/12), done.\nTo github.com:acme/shop.git\n   a1b2c3d..d4e5f6a  "
            "main -> main"
        ),
        SkipReason.LOG_OUTPUT,
    ),
    (
        "PASS src/cart.test.ts\n  ✓ adds an item (5 ms)\n  ✓ removes an item (2 ms)\nTests: 2 passed, 2 total",
        SkipReason.LOG_OUTPUT,
    ),
    ("$ terraform plan\nPlan: 3 to add, 1 to change, 0 to destroy.", SkipReason.ASSISTANT_PROSE),
    (
        'Exception in thread "main" java.lang.NullPointerException\n\tat com.acme.Main.run(Main.java:42)',
        SkipReason.LOG_OUTPUT,
    ),
    (
        "[2024-11-02T10:00:00Z] WARN  retrying request attempt=2\n[2024-11-02T10:00:05Z] ERROR giving up attempt=3",
        SkipReason.LOG_OUTPUT,
    ),
    (
        "ld: symbol(s) not found for architecture arm64\nclang: error: linker command failed with exit code 1",
        SkipReason.LOG_OUTPUT,
    ),
    ("root@web-1:~# df -h\nFilesystem Size Used Avail Use%\n/dev/sda1 50G 48G 0 100%", SkipReason.LOG_OUTPUT),
    (
        "  File \"/srv/app/models.py\", line 12\n    def x(self)\n              ^\nSyntaxError: expected ':'",
        SkipReason.LOG_OUTPUT,
    ),
    ("the vendor's sandbox is down every Sunday night for maintenance", SkipReason.NOT_REUSABLE),
    ("Postgres 17 came out in September, RDS will have it next quarter", SkipReason.NOT_REUSABLE),
    ("Legal signed off on the new privacy policy", SkipReason.NOT_REUSABLE),
    ("we have two on-call engineers per week, one of them in Lisbon", SkipReason.NOT_REUSABLE),
    (
        "resolveTenant() is called in the middleware chain right after auth, see src/server/chain.ts",
        SkipReason.CODE_FACT,
    ),
    ("there are 14 feature flags in flags.yaml and three of them are never read", SkipReason.CODE_FACT),
    ("CheckoutForm renders PaymentStep, which loads Stripe lazily", SkipReason.CODE_FACT),
    ("the `jobs` table has a unique index on (kind, key)", SkipReason.CODE_FACT),
    ("Perfect, merged. Appreciate the quick turnaround", SkipReason.NOT_REUSABLE),
    ("this is so much nicer to read now", SkipReason.NOT_REUSABLE),
    ("haha good one, didn't know you could do that with a generator", SkipReason.NOT_REUSABLE),
    ("why did you pick a linked list there?", SkipReason.NOT_REUSABLE),
    ("could you explain what this regex does?", SkipReason.NOT_REUSABLE),
    ("are we sure the lock gets released when the worker is killed?", SkipReason.NOT_REUSABLE),
    (
        "I'll look into why the bundle grew. My guess is the date library, so I will check the analyzer output next.",
        SkipReason.ASSISTANT_PROSE,
    ),
    ("Here is the plan: first the schema, then the API, and the UI comes last.", SkipReason.ASSISTANT_PROSE),
    (
        "Everything is green. I refactored the loader into three functions and added tests for each.",
        SkipReason.ASSISTANT_PROSE,
    ),
    ("added the column, wrote the backfill, still need to drop the old one", SkipReason.ASSISTANT_PROSE),
    ("+ pytest -q\n..F....\nE   assert 3 == 4\n1 failed, 6 passed in 0.42s", SkipReason.LOG_OUTPUT),
    ("Killed: 9\nmake: *** [build] Error 137", SkipReason.LOG_OUTPUT),
    ("2025/01/03 11:02:17 http: TLS handshake error from 10.0.0.4:51234: EOF", SkipReason.LOG_OUTPUT),
    ("added 214 packages, and audited 215 packages in 6s\nfound 0 vulnerabilities", SkipReason.LOG_OUTPUT),
    ("validate() in forms.py is called before save()", SkipReason.CODE_FACT),
    ("the parser keeps its state in a ParserContext struct that is passed by pointer", SkipReason.CODE_FACT),
    ("Routes are registered in router.ts, the handlers sit in src/handlers", SkipReason.CODE_FACT),
    ("the connection pool size comes from DB_POOL and defaults to 10", SkipReason.CODE_FACT),
    ("there is already a debounce helper in packages/utils/src/timing.ts", SkipReason.CODE_FACT),
    ("class Invoice has a has_many :lines and a belongs_to :customer", SkipReason.CODE_FACT),
    ("index.ts re-exports everything from ./core", SkipReason.CODE_FACT),
    ("getServerSideProps on the product page fetches the price and the stock", SkipReason.CODE_FACT),
    ("spec/support/auth_helper.rb defines sign_in_as", SkipReason.CODE_FACT),
    ("Docker Hub rate limits anonymous pulls to 100 per six hours", SkipReason.NOT_REUSABLE),
    ("the client wants the report by end of March", SkipReason.NOT_REUSABLE),
    ("Our main competitor released an Android app last week", SkipReason.NOT_REUSABLE),
    ("The team is split between Berlin and Austin", SkipReason.NOT_REUSABLE),
    ("prod database has 1.2 TB of data", SkipReason.NOT_REUSABLE),
    ("Chrome will block third-party cookies eventually", SkipReason.NOT_REUSABLE),
]


@pytest.mark.parametrize(("text", "category"), LESSONS)
def test_lessons_and_preferences_are_worth_storing_under_their_category(text: str, category: str) -> None:
    assert judge(text).worthiness is Worthiness.WORTH_STORING
    assert classify(text, extract(text))[0] == category


@pytest.mark.parametrize(("text", "reason"), NO_LESSONS)
def test_facts_praise_questions_plans_and_logs_are_not(text: str, reason: SkipReason) -> None:
    judged = judge(text)

    assert (judged.worthiness, judged.skip) == (Worthiness.NOT_WORTH_STORING, reason)
    assert judged.why


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "All routes in admin.py go through `require_role`, only `/health` does not.", id="an exception to a pattern"
        ),
        pytest.param("Every handler calls `audit()` except `delete_user` in users.py.", id="one that was left out"),
    ],
)
def test_a_code_fact_that_hints_at_a_pattern_is_for_review(text: str) -> None:
    assert judge(text).worthiness is Worthiness.NEEDS_REVIEW
    assert classify(text, extract(text))[0] == "CodeFact"


@pytest.mark.parametrize(
    ("text", "category", "confidence"),
    [
        pytest.param("Never build SQL from strings.", "EngineeringLesson", 0.70, id="a lesson of the craft"),
        pytest.param("In this repo use pnpm, not npm.", "RepositoryConvention", 0.55, id="how it is done here"),
        pytest.param("From now on keep answers short.", "CommunicationPreference", 0.90, id="how to talk"),
        pytest.param("I prefer small commits, in all my projects", "UserPreference", 0.90, id="how to work"),
    ],
)
def test_each_category_starts_with_its_own_confidence(text: str, category: str, confidence: float) -> None:
    assert classify(text, extract(text)) == (category, confidence)


def test_a_lesson_beneath_a_log_is_still_a_lesson() -> None:
    log = "E   AssertionError: 401 != 200\n1 failed, 12 passed in 3.21s\n"

    assert judge(log).worthiness is Worthiness.NOT_WORTH_STORING
    assert judge(f"{log}Never share a session between tests.").worthiness is Worthiness.WORTH_STORING


@given(st.text(max_size=300))
def test_any_text_is_judged(text: str) -> None:
    judged = judge(text)

    assert isinstance(judged, Judged)
    assert (judged.worthiness is Worthiness.NOT_WORTH_STORING) == (judged.skip is not SkipReason.NONE)
    assert 0 <= judged.confidence <= 1
    assert classify(text, extract(text))[0]
