"""Numba's compiler with one pass more: an index of an array is taken as it is.

In Python ``array[-1]`` is the last item, and Numba therefore asks of every signed index whether it is negative: two
instructions for each, which also keep loops from becoming vector instructions. No kernel counts from the end.
With ``NUMBA_BOUNDSCHECK=1`` a negative index raises like any other that is out of bounds.
"""

from typing import Any

from numba.core import ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference


@register_pass(mutates_CFG=False, analysis_only=False)
class UnsignedIndices(FunctionPass):
    """Makes every index that is an integer, or a tuple of integers, of an array unsigned."""

    _name = "tinhorn_unsigned_indices"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Change the types that items are looked up and set with; the code that is made then casts to them."""
        for block in state.func_ir.blocks.values():
            found = [*block.find_exprs("getitem"), *block.find_insts(ir.SetItem)]
            for item in found:
                signature = state.calltypes.pop(item)  # which takes a key only once
                array, index, *rest = signature.args
                if isinstance(array, types.Array):
                    signature = signature.replace(args=(array, unsigned(index), *rest))
                state.calltypes[item] = signature
        return True


def unsigned(index: Any) -> Any:
    """The type of an index with every integer in it as an unsigned machine word; slices stay what they are."""
    if isinstance(index, types.BaseTuple):
        items: Any = index
        return types.Tuple([unsigned(item) for item in items])
    return types.uintp if isinstance(index, types.Integer) else index


class KernelCompiler(CompilerBase):
    """The pipeline of every kernel."""

    def define_pipelines(self) -> list[Any]:
        """Numba's own passes, with `UnsignedIndices` as soon as the types are known."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(UnsignedIndices, NopythonTypeInference)
        passes.finalize()
        return [passes]
