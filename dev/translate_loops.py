"""Translate the loops in ``elmo/engines`` to LLVM's language, as ``loops.ll`` there. Run this after every change.

    python dev/translate_loops.py

Numba translates each loop for its types of arguments. Here the result becomes a function with the conventions of C.
Nothing in it depends on a processor: ``elmo.engines.compiled`` makes vectors of the loops.
"""

import hashlib
import os
import re
from pathlib import Path
from typing import Any

# Numba reads these when it is imported. What it would optimize for this processor is of no use on others.
os.environ.update(NUMBA_OPT="0", NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")

import llvmlite.binding as llvm
import numba

from elmo.engines import loop_parts, loops, training_loops

SOURCES = [Path(str(module.__file__)) for module in (loop_parts, loops, training_loops)]


def main() -> None:
    """Write ``loops.ll``: a header, and a module for each loop."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    parts = [f"; Written by dev/translate_loops.py with Numba {numba.__version__}. Do not edit.\n; {fingerprint()}\n"]
    for name, (loop, kinds) in (loops.LOOPS | training_loops.LOOPS).items():
        loop.compile(kinds)
        native = loop.overloads[kinds].fndesc.llvm_func_name
        module = simplified(as_c_function(name, native, loop.inspect_llvm(kinds)))
        parts.append(f"{name}\n{readable(module)}")
    Path(str(loops.__file__)).with_suffix(".ll").write_text("\n; loop: ".join(parts), encoding="utf-8")


def as_c_function(name: str, native: str, text: str) -> str:
    """Add a C function that calls one of Numba's, and make all others internal."""
    text = re.sub(r"^define (?:linkonce_odr |internal |private )*", "define internal ", text, flags=re.M)
    # What is left of Numba's errors and environments is not used.
    text = re.sub(r"^(@[^ ]+ = )(?:common |linkonce_odr )+(?=global|constant)", r"\1internal ", text, flags=re.M)
    # Arrays do not overlap, so that the compiler need not expect it.
    text = re.sub(r"^define .*", lambda line: line[0].replace("ptr %arg.", "ptr noalias %arg."), text, flags=re.M)
    found = re.search(rf'^define [^@]*@"?{re.escape(native)}"?\((.*?)\)[^()]*{{', text, flags=re.M)
    assert found is not None
    # Numba's functions have two more arguments, for results and errors. There are neither.
    kinds = [argument.split()[0] for argument in found[1].split(", ")[2:]]
    parameters = ", ".join(f"{kind} {'noalias ' * (kind == 'ptr')}%{n}" for n, kind in enumerate(kinds))
    arguments = ", ".join(f"{kind} %{n}" for n, kind in enumerate(kinds))
    return f"""{text}
define void @{name}({parameters}) {{
  %result = alloca ptr
  %error = alloca ptr
  %status = call i32 @"{native}"(ptr %result, ptr %error, {arguments})
  ret void
}}
"""


def simplified(text: str) -> Any:
    """Return a simpler module, in which nothing depends on the processor."""
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = "", ""
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
    machine = llvm.Target.from_default_triple().create_target_machine(cpu="generic", opt=1)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module


def readable(module: Any) -> str:
    """Return a module as text with short names, which older versions of LLVM can read as well."""
    text = re.sub(r"\b_ZN4elmo7engines\d+(?:training_)?loops\d+(\w+?)B\dv(\d+)B\w*", r"\1.\2", str(module))
    hints = r" captures\(none\)| range\([^)]*\)| nocreateundeforpoison|^.*@llvm.lifetime.*\n"
    text = re.sub(hints, "", text, flags=re.M)
    module = llvm.parse_assembly(text)
    module.verify()
    return text


def fingerprint() -> str:
    """Identify the sources, so that a test can tell whether they were translated."""
    return "\n; ".join(f"sha256 of {path.name}: {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in SOURCES)


if __name__ == "__main__":
    main()
