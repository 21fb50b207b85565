"""The games, a folder each with the same files in it. Nothing outside `tinhorn.registry` lists them."""
