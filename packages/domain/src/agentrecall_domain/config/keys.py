"""Every key that a person may tune, with the default that the code which reads it holds. Cold."""

from __future__ import annotations

from agentrecall_domain.capture.asking import ALWAYS, OFF, SUBSTANTIVE
from agentrecall_domain.capture.turn_summary import COMPACT, DETAILED, SILENT
from agentrecall_domain.config.key import Key
from agentrecall_domain.notes.failure import FAILURE_CAP
from agentrecall_domain.notes.judge import JUDGE_TIMEOUT_S
from agentrecall_domain.notes.segmentation import USUAL
from agentrecall_domain.recall.gate import SUBSTANCE_FLOOR
from agentrecall_domain.recall.moments import CAPS, DEFAULT_BUDGET, DEFAULT_STANDING
from agentrecall_domain.recall.note_ranking import (
    ADAPTIVE,
    CONVEX,
    CONVEX_FLOOR,
    HALF_LIFE_DAYS,
    IMPORTANCE_WEIGHT,
    LEXICAL_WEIGHT,
    MMR,
    PROJECT_BOOST,
    RECIPROCAL,
    RECIPROCAL_FLOOR,
    RRF_K,
)
from agentrecall_domain.recall.notes import DEFAULT_NOTES, UNSET_FLOOR
from agentrecall_domain.recall.packing import MOST_PENDING, REMINDER_EVERY
from agentrecall_domain.recall.ranking import FLOOR
from agentrecall_domain.rules.duplicate import JUDGED

_DEFAULTS = (
    # Recall
    Key("prompt_max_rules", CAPS["prompt"][1], "At most so many rules are shown at a prompt.", 0, 50),
    Key("prompt_token_budget", DEFAULT_BUDGET, "Tokens that recall may take at a prompt, a read or an edit.", 0, 2500),
    Key("start_max_standing", DEFAULT_STANDING, "At most so many standing rules open a session.", 0, 100),
    Key("start_token_budget", DEFAULT_BUDGET, "Tokens that recall may take at a session's start.", 0, 2500),
    Key("edit_max_rules", CAPS["edit"][1], "At most so many rules are shown when a file is read or edited.", 0, 50),
    Key("substance_floor", SUBSTANCE_FLOOR, "A prompt that says less than this calls up nothing.", 0, 100),
    Key("rule_floor", FLOOR, "A rule with less evidence than this is not shown.", 0, 1),
    Key("pending_shown", MOST_PENDING, "At most so many rules that wait for approval are shown at a time.", 0, 5),
    Key("reminder_every", REMINDER_EVERY, "Shown again, a rule comes in full every so many times.", 1, 100),
    Key("prompt_max_notes", DEFAULT_NOTES, "At most so many notes are shown at a prompt.", 0, 50),
    Key("start_max_notes", DEFAULT_NOTES, "At most so many notes open a session.", 0, 50),
    Key(
        "fusion",
        CONVEX,
        "How words and meaning are joined: by a mix of their scores, or by reciprocal ranks.",
        choices=(CONVEX, RECIPROCAL),
    ),
    Key("fusion_lexical_weight", LEXICAL_WEIGHT, "What words count in that; meaning counts the rest.", 0, 1),
    Key("rrf_k", RRF_K, "The constant of reciprocal ranks.", 1, 1000),
    Key(
        "recall_floor",
        UNSET_FLOOR,
        f"A note of less relevance is not shown; -1 takes the fusion's own: {CONVEX_FLOOR:g} or {RECIPROCAL_FLOOR:g}.",
        -1,
        1,
    ),
    Key("project_boost", PROJECT_BOOST, "What a note of the project at hand counts against global ones.", 1, 3),
    Key("importance_weight", IMPORTANCE_WEIGHT, "How much a note of little importance loses.", 0, 1),
    Key("recency_half_life_days", HALF_LIFE_DAYS, "In so many days a note loses half of what age takes.", 1, 3650),
    Key(
        "diversity",
        ADAPTIVE,
        "How notes are cut off: where their scores fall, or by what is new in each.",
        choices=(ADAPTIVE, MMR),
    ),
    # End of turn
    Key(
        "ask_for_verdict",
        OFF,
        "Whether the agent is asked at the end of a turn what is worth a rule.",
        choices=(OFF, SUBSTANTIVE, ALWAYS),
    ),
    Key(
        "summary",
        SILENT,
        "How much is said at the end of a turn about what memory did in it.",
        choices=(SILENT, COMPACT, DETAILED),
    ),
    # Notes
    Key("judge", "deterministic", "Who distils notes.", choices=("deterministic", "command", "host")),
    Key("judge_command", "", "The command that is the judge: it reads a prompt on stdin and writes JSON."),
    Key("judge_timeout", JUDGE_TIMEOUT_S, "Seconds that the judge's command may take.", 1, 3600),
    Key("episode_max_turns", USUAL.max_turns, "An episode has at most so many turns.", 1, 200),
    Key("episode_gap_minutes", USUAL.gap_minutes, "A pause of so many minutes closes an episode.", 1, 10_080),
    Key("topic_shift", USUAL.topic_shift, "A turn less like its episode than this opens the next one.", 0, 1),
    Key("embedding_provider", "", "Whose vectors notes are found by, too: an installed provider's name, as minilm."),
    Key("dedup_threshold", JUDGED, "Notes as alike as this are compared.", 0.5, 1),
    Key("distill_failure_cap", FAILURE_CAP, "What failed so many times is parked.", 1, 100),
)
KEYS = {key.name: key for key in _DEFAULTS}
"""By name, in the order in which they are listed."""
