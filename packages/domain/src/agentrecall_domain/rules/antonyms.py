"""Antonyms: words that cannot both be followed on one subject, and words that tell situations apart. Tables. Light."""

from __future__ import annotations

from typing import NamedTuple


class Topic(NamedTuple):
    """One matter with sides that exclude each other; *subject* is what both rules must speak of, if anything.

    Where the sides are said *of_things* (to mock one, to keep one), they exclude each other for one thing alone.
    """

    name: str
    sides: tuple[str, ...]
    subject: str = ""
    of_things: bool = False


TOPICS = (
    Topic("test level", ("unit", "integration endtoend system"), "test cover coverage"),
    Topic(
        "test doubles",
        (
            "mock moto wiremock msw nock mockito vcr monkeypatch inmemory",
            "real actual live testcontainers container minio localstack sandbox",
        ),
        "test db service api client clock",
        of_things=True,
    ),
    Topic(
        "errors",
        ("exception throw panic", "result either errorcode sentinel option returncode"),
        "error exception fail return throw",
    ),
    Topic(
        "nullability",
        ("nullable null optional", "nonnull mandatory"),
        "column field parameter type value return row table default null",
    ),
    Topic(
        "inheritance", ("inherit abstractclass abstract extend parent", "compose delegate collaborator mixin inject")
    ),
    Topic(
        "queries",
        (
            "orm activerecord hibernate eloquent jpa sqlalchemy efcore prisma typeorm querybuilder",
            "sql rawsql jdbc dapper sqlx storedprocedure",
        ),
    ),
    Topic("waiting for work", ("sync blocking block", "async nonblocking coroutine queue background event")),
    Topic("indentation", ("tab", "space"), "indent format level style tab"),
    Topic("quotes", ("single", "double", "backtick"), "quote string literal"),
    Topic("joining branches", ("squash", "mergecommit merge", "rebase"), "commit branch pr history merge"),
    Topic("comments", ("comment docstring", "uncommented"), "comment"),
    Topic(
        "abstraction",
        ("extract helper abstract abstraction dry generic configurable reuse", "duplicate copy inline repeat"),
        "code helper function",
    ),
    Topic("moment", ("early eager upfront immediately", "late lazy defer later last postpone"), of_things=True),
    Topic(
        "logging",
        ("structured json field", "print printf println console plaintext plain text unstructured errorlog vardump"),
        "log",
    ),
    Topic("strictness", ("strict", "loose lenient permissive relaxed tolerant"), of_things=True),
    Topic("news", ("poll", "webhook push subscribe sse websocket")),
    Topic("pages", ("offset perpage pagenumber skip", "cursor keyset"), "page paginate list endpoint query result"),
    Topic("mutability", ("mutable", "immutable"), of_things=True),
    Topic("typing", ("any untyped dynamic", "typed unknown generic"), "type typescript value parameter"),
    Topic("explicitness", ("explicit", "implicit"), of_things=True),
    Topic(
        "visibility",
        ("public", "private internal"),
        "class method field member function visibility api",
        of_things=True,
    ),
    Topic("letter case", ("camelcase", "snakecase", "kebabcase", "pascalcase")),
    Topic("rendering place", ("clientside", "serverside")),
    Topic("deleting", ("harddelete hard", "softdelete soft"), "remove"),
    Topic("exports", ("named", "default"), "export import"),
    Topic("paths", ("absolute", "relative"), "import path url link"),
    Topic("components", ("functional function hook", "class"), "component"),
    Topic(
        "injection",
        ("constructor", "setter", "field autowired", "servicelocator singleton global"),
        "inject dependency",
    ),
    Topic("type declarations", ("interface", "alias"), "type"),
    Topic("functions", ("arrow", "declaration"), "function"),
    Topic("settings", ("envvar", "file configmap yaml toml"), "config secret envvar"),
    Topic("streams", ("stdout", "stderr")),
    Topic("time zone", ("utc", "local localtime cet"), "time datetime date timezone"),
    Topic("keys", ("uuid ulid guid", "serial autoincrement bigserial sequence integer"), "key id primary"),
    Topic("others' work", ("fix change", "leavealone"), of_things=True),
    Topic("keeping", ("keep preserve retain", "remove"), of_things=True),
    Topic("failing", ("failfast", "fallback swallow"), of_things=True),
    Topic("freshness", ("cache stale", "fresh"), of_things=True),
    Topic("concurrency", ("concurrent", "sequential serially")),
    Topic("batching", ("batch", "individually")),
    Topic("locking", ("optimistic", "pessimistic"), "lock"),
    Topic("order of rows", ("ascending asc", "descending desc")),
    Topic("size of steps", ("incremental", "bigbang"), "rewrite migration refactor"),
    Topic("trunk", ("main master trunk", "branch pr"), "commit push merge change"),
    Topic("versions", ("latest range caret floating", "pin exact"), "version dependency"),
    Topic(
        "length", ("concise", "verbose detail detailed exhaustive"), "answer response summary message comment explain"
    ),
    Topic("layout of answers", ("bullet", "prose paragraph"), "answer response summary explain list"),
    Topic("asking", ("ask", "decide proceed guess"), "question decide unclear doubt proceed"),
    Topic("switching", ("enable", "disable"), of_things=True),
    Topic("permission", ("allow", "forbid"), of_things=True),
    Topic("truth", ("true", "false"), of_things=True),
    Topic("amount", ("~more", "~less ~fewer"), of_things=True),
    Topic("bounds", ("atleast", "atmost")),
    Topic("order", ("~before", "~after"), of_things=True),
    Topic("delivery", ("monorepo", "polyrepo multirepo")),
    Topic("state", ("stateful", "stateless")),
    Topic("direction", ("up increase raise", "down decrease lower"), of_things=True),
    Topic("line ends", ("lf", "crlf"), "line"),
    Topic("log level", ("debug trace", "info", "warning"), "log"),
    Topic("capitals", ("upper uppercase capital", "lower lowercase"), "case letter keyword name"),
    Topic("missing values", ("remove", "impute"), "data row value missing nan"),
    Topic("moments in JSON", ("epoch", "iso8601"), "date time datetime"),
    Topic("control flow", ("earlyreturn", "nesting")),
    Topic("loops", ("loop", "comprehension stream iterator functional"), "loop list collection iterator item"),
    Topic("age", ("latest", "oldest earliest"), of_things=True),
    Topic("loading", ("eager", "lazy")),
    Topic("place of tests", ("beside colocate colocated", "separate mirror"), "test"),
    Topic("snapshots", ("snapshot golden", "assert assertion"), "test"),
    Topic("string building", ("concatenate concatenation", "template interpolate interpolation parameterized")),
    Topic("migrations back", ("reversible down", "forward irreversible"), "migration"),
    Topic("unfinished work", ("branch", "featureflag"), "feature merge unfinished"),
    Topic("scaling", ("vertical", "horizontal")),
    Topic("build place", ("ci", "laptop locally local"), "publish deploy release build"),
    Topic("tone", ("blunt direct formal", "gentle friendly casual informal")),
    Topic("writing output", ("overwrite", "append")),
    Topic("splitting data", ("shuffle", "chronological time"), "split train test dataset"),
    Topic("scope of state", ("global", "local"), "state variable"),
    Topic("numbers of money", ("float double", "decimal integer cent bigdecimal"), "money price amount"),
    Topic("union types", ("enum", "union literal"), "type value"),
    Topic("null or empty", ("null none", "empty"), "return list array string"),
    Topic("cascade", ("cascade", "restrict"), "remove foreignkey"),
    Topic("rewriting", ("rewrite", "refactor"), "code module"),
    Topic("number of files", ("one single", "split several separate"), "file"),
    Topic("semicolons", ("semicolon", "asi"), "javascript typescript"),
)
"""Curated matters. A side is its words, stemmed and read through the synonyms."""

RIVALS = """
npm yarn pnpm bun
jest vitest mocha jasmine ava
cypress playwright selenium puppeteer webdriverio
black ruff yapf autopep8
flake8 pylint ruff
eslint biome tslint
poetry uv pipenv conda pdm pip
requests httpx aiohttp urllib
axios fetch ky superagent
moment dayjs datefns luxon
redux zustand mobx recoil jotai
webpack vite rollup esbuild parcel turbopack
react vue angular svelte
rest graphql grpc soap
mysql postgres sqlite mariadb mssql oracle mongodb dynamodb
maven gradle bazel sbt
logrus zap slog zerolog println
winston pino bunyan console
log4j logback jul
junit testng spock
mockito easymock powermock mockk
pytest unittest nose
rspec minitest
xunit nunit mstest
moq nsubstitute fakeiteasy
gson jackson moshi
retrofit ktor volley
dagger hilt koin
rxjava livedata stateflow
cocoapods spm carthage
uikit swiftui
bloc riverpod getx
terraform pulumi cloudformation cdk
helm kustomize
docker podman
jenkins circleci githubactions travis
kafka rabbitmq sqs nats
redis memcached
tailwind bootstrap styledcomponents emotion sass
zod yup joi valibot ajv
prisma typeorm drizzle sequelize knex
pandas polars
pytorch tensorflow jax
matplotlib plotly seaborn altair
flask django fastapi
express fastify koa nestjs
celery rq dramatiq
sidekiq resque goodjob
apache nginx caddy traefik
uuid ulid cuid nanoid
yaml json toml xml ini
csv parquet avro
bcrypt argon2 scrypt md5 sha1
psycopg asyncpg
click argparse typer docopt
anyhow thiserror eyre
tokio asyncstd smol
dapper efcore nhibernate
phpunit pest codeception
phpstan psalm
cmake meson bazel
gtest catch2 doctest
conan vcpkg
float double decimal bigdecimal
enzyme testinglibrary
sentry rollbar bugsnag
px rem em
svg png webp jpeg
nomad swarm kubernetes
factory fixture
merge rebase
http https
glide coil picasso
var let const
optional union
count foreach
xml compose
storyboard swiftui
combine rxswift
mdx markdown rst asciidoc
bem tailwind cssmodules
saga thunk
monolog errorlog
notebook script
semver calver
crontab airflow systemd
s3 disk filesystem
bash python perl
workspace directory
golang java kotlin rust python typescript javascript ruby csharp php scala elixir swift
german english french spanish italian
alpine debian ubuntu distroless
localstorage cookie sessionstorage
british american
"""
"""Tools and forms of one job, one job a line: who is told to use one of them is told to leave the others."""

AXES = """
unit|integration|endtoend|smoke|load|contract
client|server
frontend|backend
read|write
input|output
request|response
upload|download
import|export
parse|print|format
serialize|parse
encode|parse
encrypt|decrypt
development|production|staging|sandbox
production|test
add|remove|rename
open|close
begin|halt
install|uninstall
enable|disable
increase|decrease
public|private
internal|external
table|column|index|view
variable|output
class|function
controller|service|repository|model|view
ios|android|web
python|typescript|javascript|golang|rust|java|kotlin|ruby|php|swift|csharp|cplusplus|scala|elixir
linux|windows|macos
mysql|postgres|sqlite|mongodb|redis
success|fail
source|target
sender|receiver
producer|consumer
publish|subscribe
push|pull
small|large
first|last
~before|~after
~any|~all
~on|~off
~up|~down
~above|~below
~more|~less|~fewer
main|feature
light|dark
horizontal|vertical
width|height
maximum|minimum
encoder|decoder
train|evaluate
parent|child
admin|customer
buyer|seller
mobile|desktop
query|command
human|machine
success|error
login|logout
sync|async
up|down
"""
"""Words that tell situations apart, whatever else they share; one axis a line."""
