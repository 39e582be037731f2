"""Notes: raw items into episodes, episodes into distilled notes, and which notes live on."""
