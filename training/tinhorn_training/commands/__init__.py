"""The commands of ``tinhorn``: a module NAME here holds a function NAME, which `tinhorn_training.cli` makes a command.

Commands are a few lines each that parse, call a module and print. Heavy imports (torch) belong inside the function,
so that ``tinhorn --help`` is quick.
"""
