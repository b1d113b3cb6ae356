"""The report: sections are executed cell by cell and assembled into one page."""
