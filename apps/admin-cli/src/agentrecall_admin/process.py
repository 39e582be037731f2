"""Processing: what the hooks left for later."""

from __future__ import annotations

import click

from agentrecall_admin.console import as_json_option, memory, now, print_json, talk
from agentrecall_domain.turns.capture import Session
from agentrecall_storage.capturing import drain, read_on
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.home import disabled, home
from agentrecall_storage.places import Places

EVERY_SESSION = 1_000_000
AN_HOUR_MS = 3_600_000


@click.command()
@as_json_option
def process(*, as_json: bool) -> None:
    """Store what hooks could only spool, and read on where one ran out of time.

    Safe to run at any time and beside running sessions: what is known already adds nothing. It ends by itself.
    """
    if disabled():
        talk("AGENTRECALL_DISABLED is set; nothing is captured")
    deadline = Deadline(0 if disabled() else AN_HOUR_MS)
    places = Places(home())
    with memory() as opened:
        before = opened.counts()["raw_items"]
        drained = drain(home(), opened.captures, deadline)
        transcripts = [] if disabled() else opened.captures.recent_transcripts(EVERY_SESSION)
        for uid, path in transcripts:
            session = Session(
                uid=uid,
                transcript_path=path,
                cwd=opened.session_folder(uid) or "/",
                captured_at=now().strftime("%Y-%m-%dT%H:%M:%SZ"),
                project_at=places.project_at,
            )
            read_on(home(), opened.captures, session, deadline)
        added = opened.counts()["raw_items"] - before
    found = {
        "drained": drained.stored,
        "set_aside": drained.set_aside,
        "transcripts": len(transcripts),
        "raw_items_added": added,
    }
    if as_json:
        print_json(found)
        return
    click.echo(
        f"{drained.stored} spooled entries stored, {drained.set_aside} set aside; "
        f"{len(transcripts)} transcripts looked at; {added} raw items new"
    )
