"""What the report shows: its figures, its tables, and the numbers in its prose."""
