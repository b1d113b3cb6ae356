"""From cells to tables, and from tables to decisions."""
