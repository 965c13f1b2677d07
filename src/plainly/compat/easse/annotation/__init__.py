"""Which word was added, deleted, replaced, moved or copied."""
