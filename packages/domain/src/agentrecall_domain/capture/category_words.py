"""The words by which a team's own convention is told from a craft's lesson. Light."""

from __future__ import annotations

from agentrecall_domain.capture.phrases import word_set

EVERYWHERE = """in any repo|in any project|in every repo|in every project|in all repos|in all projects|in any codebase
    |in every codebase|in any language|in every language|regardless of the repo|regardless of the project
    |regardless of language|anywhere|in general|as a general rule|en cualquier repo|dans n'importe quel projet"""
# Said of the house.
OURS = """in this repo|in this repository|in this project|in this codebase|in this code base|in this monorepo
    |in this service|in this team|in this app|in this workspace|in this package|in this module|in the repo
    |in the monorepo|in the codebase|this repo|this repository|this project|this codebase|this monorepo
    |this team|around here|our|ours|the team|the deploy job|the release job|the nightly job|the deploy pipeline
    |the release pipeline|the design system|the design system's|we're on|we are on|house style|house rule
    |in-house|internal package|internal library|internal tool|in diesem repo|in diesem projekt
    |in dieser codebase|in diesem team|bei uns|wir|unser|unsere|unserem|unserer|unseren|dieses repo
    |dieses projekt|dans ce d\u00e9p\u00f4t|dans ce projet|dans ce repo|dans ce service|chez nous|nous utilisons
    |notre|nos|on utilise|ce d\u00e9p\u00f4t|de ce d\u00e9p\u00f4t|ce projet|en este repo|en este repositorio
    |en este proyecto|en este servicio|en este equipo|de este repo|aqu\u00ed|usamos|utilizamos|nuestro|nuestra
    |nuestros|nuestras|tenemos|in review|release bot|to us|append-only here|left alone|over here|merge queue
    |code owners"""
OURS_ELSEWHERE = (
    "\u8fd9\u4e2a\u9879\u76ee",
    "\u672c\u9879\u76ee",
    "\u8fd9\u4e2a\u4ed3\u5e93",
    "\u672c\u4ed3\u5e93",
    "\u6211\u4eec",
    "\u062f\u0631 \u0627\u06cc\u0646 \u067e\u0631\u0648\u0698\u0647",
    "\u062f\u0631 \u0627\u06cc\u0646 \u0631\u06cc\u067e\u0648",
    "\u062f\u0631 \u0627\u06cc\u0646 \u0645\u062e\u0632\u0646",
    "\u0645\u0627 \u0627\u0632",
    "\u067e\u0631\u0648\u0698\u0647 \u0645\u0627",
)
# What a team of people has: "the payments folks", "the preview deployer".
COMPANY = word_set(
    "team folks guys bot squad board runbook deployer repo crew guild department bucket pipeline"
    " dashboard portal registry gateway linter"
)
PEOPLE = word_set("legal finance ops support marketing sales security compliance qa accounting devrel sre infra")
# Services that a team has chosen; a lesson that names one is the team's.
SERVICES = word_set("""
    jira linear confluence notion slack datadog pagerduty grafana crowdin lokalise unleash launchdarkly vault
    argo argocd jenkins buildkite circleci storybook chromatic figma renovate dependabot backstage nexus
    artifactory sonarqube sonar snowflake looker metabase tilt bazel nx turborepo weblate transifex loki kibana
    splunk honeycomb newrelic rollbar bugsnag fastlane testflight percy danger spinnaker flux rancher nomad
    doppler infisical zendesk salesforce segment amplitude mixpanel flink teamcity bamboo gerrit phabricator
    opsgenie statuspage lokalize moment lodash
""")
HABITS = word_set("""
    use always never only don't do dont prefer keep put write name call go have mount stick follow run deploy
    ship release store ban banned agreed decided wrap version tag build generate own moved standardised
    standardized settled switched pin squash rebase merge log format test mock branch commit cut import export
    expose register model avoid require route load read set handle treat expect leave left target support share
    document still dropped ditched migrated replaced talk validate send return throw track
""")
FOLDERS = word_set("""
    src lib app apps packages pkg internal cmd charts deploy infra ops tool tools script scripts service
    services module modules libs docs db migrations routes controllers components test tests spec config
    terraform k8s proto api web server client common shared core domain vendor generated legacy tasks jobs
    models views templates assets styles hooks features adr playbooks roles fixtures e2e bin build ci cli
    patches monitoring helm billing storage ui sdk testdata support schemas contracts handlers
""")
KNOWN_FILES = word_set("""
    package.json package-lock.json cargo.toml cargo.lock pyproject.toml tsconfig.json composer.json gemfile
    go.mod go.sum requirements.txt .gitignore readme.md node.js next.js vue.js d3.js three.js dockerfile
    docker-compose.yml setup.py manage.py settings.gradle build.gradle pom.xml terraform.tfvars appsettings.json
    config.json index.js main.go main.py app.py index.ts yarn.lock pnpm-lock.yaml
""")
RUNNERS = word_set("make just task mage invoke yarn pnpm ./gradlew bin/rails rake nox tox")
TARGETS = word_set("""
    lint fmt format gen generate proto check verify bootstrap seed migrate e2e codegen release schema dev sync
    types golden test-fast test
""")
OWN_CLASSES = (
    "Service",
    "Repository",
    "Gateway",
    "Registry",
    "Manager",
    "Client",
    "Helper",
    "Utils",
    "Util",
    "Wrapper",
)
KNOWN_CLASSES = ("Http", "Web", "Rest", "Test", "Mock", "S3", "Redis")
KNOWN_SCOPES = (
    "@types/",
    "@Test",
    "@Override",
    "@Transactional",
    "@babel/",
    "@angular/",
    "@vue/",
    "@testing-library/",
    "@tanstack/",
)
