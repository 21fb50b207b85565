"""Self-play training, evaluation and export of bots for the games in `tinhorn`."""
