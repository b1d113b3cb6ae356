"""What a measuring process can run, a module for each arm; only its own code makes a cell stale."""
