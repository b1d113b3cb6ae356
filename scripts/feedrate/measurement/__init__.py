"""What runs inside the measuring process. Its syntax trees are part of every cell's specification."""
