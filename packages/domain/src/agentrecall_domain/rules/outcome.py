"""Outcome: what was seen of a shown rule afterwards. Light."""

from __future__ import annotations

from agentrecall_domain.rules.rule import Tolerant


class OutcomeType(Tolerant):
    """How a rule fared; the first eight are the predecessor's (rule-memory facts, section 10)."""

    UNKNOWN = "unknown"
    BUILD_PASSED = "BuildPassed"
    TESTS_PASSED = "TestsPassed"
    LINT_PASSED = "LintPassed"
    USER_ACCEPTED = "UserAccepted"
    USER_REJECTED = "UserRejected"
    CORRECTION_REPEATED = "CorrectionRepeated"
    RULE_IGNORED = "RuleIgnored"
    NOT_APPLICABLE = "not_applicable"
    PREVENTED = "prevented"


REPORTED = frozenset(
    {
        OutcomeType.USER_ACCEPTED,
        OutcomeType.USER_REJECTED,
        OutcomeType.CORRECTION_REPEATED,
        OutcomeType.RULE_IGNORED,
        OutcomeType.NOT_APPLICABLE,
    }
)
"""What an agent may say of a rule; passed builds and tests are observed, never told."""
