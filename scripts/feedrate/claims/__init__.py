"""What the articles claim, and what holds on this machine."""
