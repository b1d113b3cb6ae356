"""What runs in the measuring process; a cell's specification has a digest of what its arm uses."""
