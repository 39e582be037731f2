"""General lessons: what a fact about the code teaches, where it shows an exception to a pattern. Light.

One a topic; the first whose words a fact holds is its lesson.
"""

from __future__ import annotations

from agentrecall_domain.capture.extraction import Lesson

TOPICS = (
    (
        r"\b(?:auth\w*|role\w*|permission\w*|acl|policy|policies|guard\w*|login|admin\w*|impersonat\w+|tenant\w*)\b",
        Lesson(
            "when adding a route, handler or query to a group that checks who may use it",
            "put the new one behind the same check, or say beside it why it needs none",
            "leaving one entry outside the check that its neighbours have",
            "one unchecked way in undoes all the others",
        ),
    ),
    (
        r"\b(?:flags?|feature\w*|toggle\w*|rollout|experiment\w*|gate[ds]?)\b",
        Lesson(
            "when putting something behind a feature flag",
            "check the flag in every layer and on every way in",
            "checking the flag in one place only",
            "a feature that is half off is on for somebody",
        ),
    ),
    (
        r"\b(?:mock\w*|stub\w*|fakes?|fixtures?|tests?|specs?)\b",
        Lesson(
            "when changing what a mock or fixture stands for",
            "change every mock and fixture of it in the same commit",
            "letting one test double differ from the others",
            "tests pass against something that does not exist",
        ),
    ),
    (
        r"\b(?:valid\w*|saniti[sz]\w*|escap\w*|normali[sz]\w*|pars\w+)\b",
        Lesson(
            "when adding another way in for the same data",
            "validate it with the same function as the others",
            "trusting one source more than its neighbours",
            "data gets in by the way that is not checked",
        ),
    ),
    (
        r"\b(?:cach\w+|invalidat\w+|transact\w+|locks?|locked|retr(?:y|ies|ied)|timeouts?|log(?:s|ged|ging)?|audit\w*)\b",
        Lesson(
            "when adding a caller to something that its other callers wrap alike",
            "wrap the new call in the same way",
            "calling it bare",
            "what every other caller takes care of is missing there",
        ),
    ),
)
ANY = Lesson(
    "when one place differs from all others of its kind",
    "write the reason beside it, or make it like the others",
    "leaving an exception unexplained",
    "the next reader cannot tell an exception from a mistake",
)
