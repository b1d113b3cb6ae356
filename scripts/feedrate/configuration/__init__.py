"""The experiment as the user writes it: its model, its checks, and the lines of mistakes."""
