"""What the measurement runs on: the machine, its accelerators and the installed packages."""
