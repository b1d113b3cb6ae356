"""Running measurements one at a time, within limits, under the user's eyes."""
