"""The one ranking and the three moments of recall."""
