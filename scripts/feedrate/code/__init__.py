"""What a piece of Python is made of, and what it does: as files, and as digests."""
