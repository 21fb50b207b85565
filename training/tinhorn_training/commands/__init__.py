"""The commands of ``tinhorn``: a module NAME here holds a function NAME; `cli` makes it a sub-command.

Commands are a few lines each that parse, call a module and print. Heavy imports (torch) belong inside the
function, so that ``tinhorn --help`` is quick.
"""
