"""Opt-in career-impact detection."""
