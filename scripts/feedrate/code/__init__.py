"""Python code as files and as digests: what it imports, and what it does."""
