"""What the numbers can and can't say."""
