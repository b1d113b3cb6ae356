"""The experiment as the user writes it down: its model, its checks and the places of mistakes."""
