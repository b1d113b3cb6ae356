"""What runs inside the measuring process; its syntax trees are in every cell's specification."""
