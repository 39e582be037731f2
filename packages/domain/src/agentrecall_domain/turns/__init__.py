"""Host payloads and transcripts into turns and spans."""
