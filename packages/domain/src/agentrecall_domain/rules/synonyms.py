"""Synonyms: which words of software work say the same, and which say little. A table. Light."""

from __future__ import annotations

PHRASES = {
    "a single time": "once", "abstract class": "abstractclass", "active record": "activerecord",
    "allow null": "nullable", "allows null": "nullable", "at least": "atleast", "at most": "atmost",
    "at once": "immediately", "auto increment": "autoincrement", "auto incrementing": "autoincrement",
    "back end": "backend", "base class": "inherit", "big bang": "bigbang", "by default": "default",
    "by hand": "manual", "camel case": "camelcase", "client side": "clientside", "code base": "codebase",
    "code review": "review", "command line": "cli", "connection string": "connectionstring", "console log": "console",
    "continuous integration": "ci", "dark mode": "darktheme", "dark theme": "darktheme", "data base": "database",
    "data set": "dataset", "date fns": "datefns", "day js": "dayjs", "dependency injection": "inject",
    "docker compose": "dockercompose", "dry run": "dryrun", "e2e": "endtoend", "early exit": "earlyreturn",
    "early return": "earlyreturn", "end to end": "endtoend", "entity framework": "efcore", "env var": "envvar",
    "environment variable": "envvar", "epoch millis": "epoch", "epoch seconds": "epoch", "error code": "errorcode",
    "every time": "whenever", "fail fast": "failfast", "fast forward": "fastforward", "feature flag": "featureflag",
    "feature toggle": "featureflag", "fewer than": "atmost", "fire and forget": "fireforget",
    "foreign key": "foreignkey", "front end": "frontend", "github actions": "githubactions", "go ahead": "proceed",
    "go code": "golang code", "go service": "golang service", "go services": "golang service",
    "go test": "golang test", "go tests": "golang test", "guard clause": "earlyreturn", "hand out": "give",
    "hand over": "give", "hand written": "manual", "happy path": "happypath", "hard code": "hardcode",
    "hard coded": "hardcode", "hard coding": "hardcode", "hard delete": "harddelete", "in go": "in golang",
    "in line": "inline", "in memory": "inmemory", "iso 8601": "iso8601", "kebab case": "kebabcase",
    "key set": "keyset", "leave alone": "leavealone", "leave it alone": "leavealone",
    "leave them alone": "leavealone", "less than": "atmost", "line length": "linelength",
    "list comprehension": "comprehension", "local storage": "localstorage", "log in": "login", "log out": "logout",
    "look up": "lookup", "looked up": "lookup", "looking up": "lookup", "magic number": "magicnumber",
    "merge commit": "mergecommit", "merge request": "pr", "monkey patch": "monkeypatch", "more than": "atleast",
    "multi stage": "multistage", "nested if": "nesting", "next to": "beside", "no fewer than": "atleast",
    "no ff": "mergecommit", "no less than": "atleast", "no more than": "atmost", "non blocking": "async",
    "non null": "nonnull", "non nullable": "nonnull", "not null": "nonnull", "now and then": "flaky",
    "null allowed": "nullable", "off limits": "forbidden", "one by one": "individually", "or mapper": "orm",
    "page number": "pagenumber", "parent class": "inherit", "pascal case": "pascalcase", "plain text": "plaintext",
    "primary key": "primarykey", "pull request": "pr", "query builder": "querybuilder", "raw sql": "rawsql",
    "read only": "readonly", "real time": "realtime", "right away": "immediately", "roll back": "rollback",
    "roll out": "rollout", "same": "sameness", "server sent events": "sse", "server side": "serverside",
    "service locator": "servicelocator", "session storage": "sessionstorage", "set off": "trigger", "set up": "setup",
    "shut down": "shutdown", "side by side": "beside", "sign in": "login", "sign out": "logout", "single page": "spa",
    "single threaded": "sequential", "snake case": "snakecase", "soft delete": "softdelete", "source control": "git",
    "stand alone": "standalone", "step by step": "stepwise", "stored procedure": "storedprocedure",
    "styled components": "styledcomponents", "super class": "inherit", "system out": "println",
    "test containers": "testcontainers", "test suite": "test", "testing library": "testinglibrary",
    "third party": "external", "thread safe": "threadsafe", "time out": "timeout", "time zone": "timezone",
    "trailing comma": "trailingcomma", "type hint": "typing", "unit of work": "unitofwork", "unix timestamp": "epoch",
    "up front": "upfront", "up to": "atmost", "up to date": "current", "use case": "usecase", "user interface": "ui",
    "version control": "git", "white space": "whitespace", "work in progress": "wip", "wrap up": "finish",
    "writing go": "writing golang",
}  # fmt: skip
"""Words that mean one thing together, and the one word that stands for them. Hyphens count as spaces."""

GROUPS = """
remove delete drop erase purge destroy discard
add create insert introduce
change modify edit alter update adjust touch tweak
show display render present
get fetch retrieve load obtain
find lookup locate
check verify validate validation confirm
fix repair correct resolve
split divide separate partition carve
merge combine unify
begin start launch boot
halt terminate kill shutdown
finish complete end conclude
call invoke
run execute
throw raise
catch rescue
exception error
fail failure crash break broken
test spec
repository repo
configuration config conf configure
authentication auth authn login signin logon
authorization authz permission
function method func fn procedure
folder directory dir
dependency package library lib gem crate
deploy ship rollout release
environment env
variable var
parameter param argument arg
documentation doc
application app
development dev
production prod
staging stage
frontend ui
backend serverside
password passwd pwd
secret credential
identifier id
message msg
request req
response res reply answer respond
image img picture
number num
string str
integer int
boolean bool
object obj
dictionary dict
asynchronous async asynchronously await
synchronous sync synchronously
concurrent concurrency parallel
cache caching cached memoize
log logging logger
pr mr
lint linter linting
format formatter formatting
refactor restructure refactoring
endpoint route
field attribute property
row record
url uri link
page screen
component widget
color colour
maximum max
minimum min
temporary temp tmp
legacy old
unused dead obsolete
duplicate duplication dup
copy clone
mock stub fake spy
flaky intermittent unstable
fast quick rapid quickly
large big huge
small tiny little
hardcode hardcoded
constant const
enumeration enum
abstract abstraction
inherit inheritance subclass superclass
compose composition
inject injection di
null nil
retry reattempt retries
timeout deadline
limit cap
encrypt encryption cipher
hash digest
metric measurement
monitor monitoring observe
benchmark bench
performance perf
memory ram
kubernetes k8s
postgres postgresql pg psql
javascript js
typescript ts
python py
ruby rb
upgrade bump
revert rollback undo
serialize serialise marshal
bind listen expose
unclear unsure ambiguous uncertain doubt
guess assume assumption
impute fill
featureflag flag
parse decode deserialize deserialise unmarshal
person people human
someone somebody
convert transform
loop iterate iteration
recursive recursion
condition conditional
nested nesting nest
readable readability
consistent consistency consistently
explicit explicitly
implicit implicitly
manual manually handwritten
automatic automatically auto
local locally
global globally
immutable readonly frozen
mutable mutate mutation
lock mutex
transaction tx
batch bulk
stream streaming
poll polling
notification notify alert
email mail
datetime timestamp
timezone tz
money currency
price pricing
invoice bill
payment pay charge
body payload
bug defect
ticket issue
incident outage
summary summarize summarise recap
concise brief terse short
verbose lengthy long
ask question
explain explanation describe description
example sample
press click tap
enable activate
disable deactivate
allow permit
forbid forbidden prohibit deny disallow ban banned
require required mandatory
share common shared
save persist store
build compile
initialize init initialise bootstrap setup
connect connection
send emit
listen subscribe subscription
schedule cron scheduler
trigger fire
cancel abort cancellation
suppress silence swallow
warning warn
ci pipeline
machine host
label tag
name naming
space whitespace
indent indentation
type typing annotate annotation
reference ref pointer
item element entry
value val
paginate pagination
dataset corpus
train training
evaluate evaluation eval
chart graph plot
clean cleanup tidy
exit quit
raw bare
custom own
squash squashed
wait await waiting
handle handler
immediately instantly now
own owner ownership owned
install installation
locale i18n translation
review reviewer
migration migrate
schedule scheduled
sensitive confidential private
latest newest
exact exactly
pin pinned
shuffle random randomly
"""
"""One group a line; the first word stands for all. Every word is stemmed as it is read."""

LIGHT = """
use write make set keep put take give need want have go come let apply work handle provide choose pick prefer favor
favour ensure sure try follow begin do happen seem look mean say tell see know think turn bring leave hold rely
rather add change get find call name require show run save define declare implement introduce consider involve check
fix help deal place pass perform support allow mind remember stick switch contain include touch end exist appear
depend code thing way stuff project part case kind matter anything something side bit lot piece job goal idea point
step new proper properly right good better best well whole own simple simply plain clean clear possible necessary
actual first instead always still again already away directly straight anymore goes inside outside wrap sit live
accept improve belong carry produce reach spend wait plan decide notice expect result contact cover catch settle
fine ok okay acceptable hand land post posts alike ahead sensible talk speak communicate given came got actually
usually normally generally carefully fully really completely entirely wholly strictly particularly especially
current currently different long little next last wrong bad old quick whenever wherever time moment common behaviour
behavior sort amount full big important extra additional certain specific various particular
"""
"""Words that carry a rule and hardly its matter: sharing one is no sign, and lacking one is none either."""

NUMBER_WORDS = {
    "one": "1", "two": "2", "twice": "2", "three": "3", "third": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "once": "1",
}  # fmt: skip
"""How small numbers are spelled out."""

ACTS = """
write add create insert implement introduce define generate produce
run execute
change
check verify
fix
remove
read
find lookup
call
return
save
show
ask
rename
move
copy
open
close
start
wait
"""
"""What can be done to a thing, one kind of doing a line. Different things done to one thing are two rules."""
