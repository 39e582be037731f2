"""Secret kinds: the table of how each is recognised.

Imported by `redaction` once a literal said that a secret is possible. A row has its kind, literals of which one must
be in the text, its pattern, and the check of a match. The secret is the pattern's last group, or the whole match. The
first kind names an overlap.
"""

from __future__ import annotations

from agentrecall_domain.text.secret_contexts import CONTEXTS
from agentrecall_domain.text.secret_parts import Row
from agentrecall_domain.text.secret_providers import PROVIDERS

KINDS: tuple[Row, ...] = (*PROVIDERS, *CONTEXTS)
