"""`tinhorn bench`: what is measured (`figures`), against whom (`peers`), and how it is shown (`report`)."""

TABLES = 32  # of a batch whose speed is measured: about as many as stay in a processor's nearest caches
