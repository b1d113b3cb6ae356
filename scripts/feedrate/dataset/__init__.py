"""The images: what they must be, where they come from, and whether they are intact."""
