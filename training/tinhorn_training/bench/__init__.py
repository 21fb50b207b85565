"""`tinhorn bench`: what is measured (`figures`), against whom (`peers`), and how it is shown (`report`)."""
