"""Was this turn worth a rule?"""
