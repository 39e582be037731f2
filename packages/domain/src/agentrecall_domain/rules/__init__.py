"""Rules: what the agent is told, and when."""
