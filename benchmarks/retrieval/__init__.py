"""The retrieval bench: the product's own recall of rules and notes beside plain FTS5 and plain BM25, on labelled sets.

`python -m benchmarks.retrieval` runs it. No model, no network. The data of others stays where its owner keeps it:
`--data` or `AGENTRECALL_BENCH_DATA` names the folder, and of a set that is not there the bench says so.
"""
