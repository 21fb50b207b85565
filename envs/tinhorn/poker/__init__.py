"""What the poker games share; knows no tournament."""
