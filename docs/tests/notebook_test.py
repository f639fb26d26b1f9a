"""Executes the notebook, and cells that go wrong.

Usage: notebook_test.py ROOT BUILD      exits with 77 where nbclient or ipykernel is missing: skipped
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import ipykernel  # noqa: F401  the notebook's kernel
    import nbformat
    from nbclient import NotebookClient
except ImportError as missing:
    print(f"{missing}: install python3-nbclient and python3-ipykernel")
    sys.exit(77)

root, build = Path(sys.argv[1]), sys.argv[2]
folder = root / "docs/notebook"
scratch = tempfile.TemporaryDirectory()
os.environ.update(LAB_BUILD=build, LAB_STATE=scratch.name, LAB_NO_INSTALL="1", IPYTHONDIR=scratch.name,
                  JUPYTER_RUNTIME_DIR=scratch.name, PYDEVD_DISABLE_FILE_VALIDATION="1")
os.environ.pop("LAB_SANDBOX", None)

notebook = nbformat.read(folder / "cuda-labs.ipynb", as_version=4)
welcome = (root / "labs/00-welcome/welcome.cu").read_text()
mistake, right = "const int i = threadIdx.x;", "const int i = blockIdx.x * blockDim.x + threadIdx.x;"
assert mistake in welcome
own_cells = len(notebook.cells)

# A course whose ./lab has no sandbox, as on qemu or in some containers.
fake = Path(scratch.name) / "fake"
fake.mkdir()
(fake / "lab").write_text("#!/bin/sh\necho \"LAB_SANDBOX=[$LAB_SANDBOX] $*\"\n[ -n \"$LAB_SANDBOX\" ] && exit 1\n"
                          "echo 'For your own code only: export LAB_SANDBOX=off' >&2\nexit 5\n")
(fake / "lab").chmod(0o755)

MORE = {
    "no such lab": "%%lab 99\n__global__ void kernel() {}",
    "no lab": "%%lab\n__global__ void kernel() {}",
    "empty": "%%lab 00\n  \n",
    "does not compile": "%%lab 00\n" + welcome.replace(mistake, mistake.replace(";", "")),
    "right": "%%lab 00 --seed 7\n" + welcome.replace(mistake, right),
    "load": "%lab load 00",
    "load nothing": "%lab load",
    "no such command": "%lab gradee 00",
    "open quotation": "%lab show '00",
    "no sandbox": f"import lab_magic, pathlib\nlab_magic.LabMagics(get_ipython(), pathlib.Path({str(fake)!r})).lab('list')",
}
for source in MORE.values():
    notebook.cells.append(nbformat.v4.new_code_cell(source))



def execute(notebook, folder):
    NotebookClient(notebook, timeout=300, kernel_name="python3", allow_errors=True,
                   resources={"metadata": {"path": str(folder)}}).execute()


def first_cell_in(folder):
    """The first cell, executed in a folder without a checkout above it."""
    cell = next(cell for cell in notebook.cells if cell.cell_type == "code").copy()
    execute(nbformat.v4.new_notebook(cells=[cell]), folder)
    return cell


empty = Path(scratch.name) / "empty"
empty.mkdir()
without_course = first_cell_in(empty)
shutil.copytree(folder, fake / "docs/notebook")
subprocess.run(["tar", "czf", empty / "cuda-labs-x86_64.tar.gz", "-C", fake.parent, fake.name], check=True)
with_archive = first_cell_in(empty)

# Where it lies: its first cell finds the course above.
execute(notebook, folder)


def text(cell):
    """What the cell printed, without colours."""
    printed = "".join(output.get("text", "") for output in cell.outputs)
    errors = "".join("\n".join(output.traceback) for output in cell.outputs if output.output_type == "error")
    return re.sub(r"\x1b\[[0-9;]*m", "", printed + errors)


failed = []


def check(name, cell, *wanted, never=()):
    said = text(cell)
    for words in wanted:
        if words not in said:
            failed.append(f"{name}: \"{words}\" is not in:\n{said}")
    for words in never:
        if words in said:
            failed.append(f"{name}: \"{words}\" is in:\n{said}")


def cell_with(begin, among):
    return next(cell for cell in among if cell.cell_type == "code" and cell.source.startswith(begin))


own = notebook.cells[:own_cells]
more = dict(zip(MORE, notebook.cells[own_cells:]))

# The notebook's cell is the file that students get.
if cell_with("%%lab 00\n", own).source.split("\n", 1)[1].strip() != welcome.strip():
    failed.append("the notebook's lab 00 differs from labs/00-welcome/welcome.cu: copy that file into the cell")

check("no course", without_course, "The course is not here. Upload cuda-labs-x86_64.tar.gz", never=["Traceback"])
check("archive", with_archive, "LAB_SANDBOX=[off] doctor", never=["Traceback"])
check("set-up", cell_with("SOURCE", own), "CUDA Labs", "nvcc", never=["Traceback"])
check("verdict", cell_with("%%lab 00\n", own), "Lab 00", "0 / 2 points", "block 0", "%lab hint", never=["./lab "])
check("hint", cell_with("%lab hint", own), "hint 1 of", "%lab hint 00", never=["Traceback"])
stepper = cell_with("%lab step", own)
check("step", stepper, "failed here", never=["browser"])
pages = [output.data["text/html"] for output in stepper.outputs if "data" in output]
if not any("<iframe" in page and "srcdoc=" in page and "&lt;script" in page for page in pages):
    failed.append(f"step: the page is not shown in the notebook: {[page[:200] for page in pages]}")
check("list", cell_with("%lab list", own), "00-welcome")

check("no such lab", more["no such lab"], "There is no lab", never=["Traceback", "Lab 99"])
check("no lab", more["no lab"], "Which lab? Begin the cell with, for example:  %%lab 02")
check("empty", more["empty"], "This cell is empty. The lab's file, in a new cell:  %lab load 00")
# The magic's line counts.
line = welcome[:welcome.index(mistake)].count("\n") + 2
check("does not compile", more["does not compile"], f"at the end of line {line}.", never=["Traceback", "/notebook/"])
check("right", more["right"], "2 / 2 points")
check("load", more["load"], never=["Traceback"])
check("load nothing", more["load nothing"], "Which lab? For example:  %lab load 02")
check("no such command", more["no such command"], "gradee", never=["Traceback"])
check("open quotation", more["open quotation"], "Close the quotation.", never=["Traceback"])
check("no sandbox", more["no sandbox"], "LAB_SANDBOX=[] list", "goes on without a sandbox (LAB_SANDBOX=off)",
      "LAB_SANDBOX=[off] list")

if (root / "labs/00-welcome/welcome.cu").read_text() != welcome:
    failed.append("a cell changed the lab's own file")
print("\n\n".join(failed) or "All cells of the notebook do what they should.")
sys.exit(bool(failed))
