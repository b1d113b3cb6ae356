"""Run measurements one at a time, within limits, and show their progress."""
