"""Placeholder while others write it."""
from __future__ import annotations
import click
@click.command()
def doctor() -> None:
    """doctor."""
