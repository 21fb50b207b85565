"""Card games with hidden hands as reinforcement-learning environments."""
