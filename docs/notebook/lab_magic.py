"""%lab and %%lab: the labs in a notebook (Jupyter, Colab).

    %load_ext lab_magic     once
    %lab load 02            the lab's file, in a new cell
    %%lab 02                the first line of a cell: grades the cell, on the virtual GPU
    %lab hint 02            any other command of ./lab
    %lab step 02            steps through a failing call of the cell graded last, in a page below

A cell is written to a file of its own, build/notebook/NN-topic/TOPIC.cu, so the lab's own file stays as it is.
Python's standard library and IPython only.
"""

import html
import json
import os
import shlex
import signal
import subprocess
import tempfile
from pathlib import Path

from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.display import IFrame, display

ROOT = Path(__file__).resolve().parents[2]
# The exit codes of ./lab (docs/results.md) that matter here.
USAGE, OWN_FAULT = 2, 5
NO_SANDBOX = "LAB_SANDBOX=off"  # what ./lab names as the remedy where it cannot isolate a program
PAGE_HEIGHT = 640  # pixels: the stepper's page without scrolling


@magics_class
class LabMagics(Magics):
    def __init__(self, shell, root=ROOT):
        super().__init__(shell)
        self.root = root
        self.cells = {}  # a lab's name: the file of its cell graded last
        self.folder = None  # of the cell graded last: commands that ./lab prints name its file

    @line_cell_magic
    def lab(self, line, cell=None):
        """%lab COMMAND runs ./lab COMMAND; %%lab LAB [OPTIONS] grades the cell."""
        try:
            words = shlex.split(line)
        except ValueError as error:
            print(f"%lab {line}: {error}. Close the quotation.")
            return
        if cell is not None:
            self.grade(words, cell)
        elif words[:1] == ["load"]:
            self.load(words[1:])
        elif words[:1] == ["step"] and "--terminal" not in words:
            self.step(words[1:])
        else:
            self.run(words)

    def grade(self, words, cell):
        if not words or words[0].startswith("-"):
            print("Which lab? Begin the cell with, for example:  %%lab 02")
            return
        lab = self.find(words[0])
        if lab is None:
            return
        if not cell.strip():
            print(f"This cell is empty. The lab's file, in a new cell:  %lab load {words[0]}")
            return
        file = self.root / "build/notebook" / lab["lab"] / Path(lab["file"]).name
        file.parent.mkdir(parents=True, exist_ok=True)
        # An empty line for the magic's, so that line numbers are the cell's.
        file.write_text("\n" + cell)
        self.cells[lab["lab"]] = file
        self.folder = file.parent
        options = words[1:]
        if not any(word.split("=")[0] == "--device" for word in options):
            options = ["--device", "vgpu", *options]
        self.run(["grade", lab["lab"], "--file", file.name, *options])

    def load(self, words):
        if len(words) != 1:
            print("Which lab? For example:  %lab load 02")
            return
        lab = self.find(words[0])
        if lab is not None:
            self.shell.set_next_input(f"%%lab {words[0]}\n{(self.root / lab['file']).read_text()}")

    def step(self, words):
        options = list(words)
        if words and not words[0].startswith("-") and "--file" not in words:
            lab = self.find(words[0])
            if lab is None:
                return
            if lab["lab"] in self.cells:
                options += ["--file", str(self.cells[lab["lab"]])]
        if any(word.split("=")[0] in ("--out", "-h", "--help", "--json") for word in words):
            self.run(["step", *options])
            return
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "steps.html"
            self.run(["step", *options, "--out", str(page)], hide="Step through it in a browser:")
            if not page.exists():
                return
            # In the notebook itself: a path would be of this machine, and the reader may be at another.
            document = html.escape(page.read_text(), quote=True)
            display(IFrame("", "100%", PAGE_HEIGHT, extras=[f'srcdoc="{document}"']))

    def find(self, word):
        """The lab's name and file, as `./lab show --json` writes them; None, and why, if there is no such lab."""
        command = [str(self.root / "lab"), "show", word, "--json"]
        shown = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        for line in shown.stdout.splitlines():
            record = json.loads(line)
            if record.get("type") == "lab":
                return record
        print(in_notebook(shown.stderr or shown.stdout), end="")
        return None

    def run(self, words, hide=None):
        """Shows what ./lab prints as it comes, without lines that begin with `hide`. Its exit code."""
        code, said = self.run_once(words, hide)
        if code == OWN_FAULT and NO_SANDBOX in said and "LAB_SANDBOX" not in os.environ:
            print(f"A notebook runs your own code, so it goes on without a sandbox ({NO_SANDBOX}).\n")
            os.environ["LAB_SANDBOX"] = "off"
            code, said = self.run_once(words, hide)
        return code

    def run_once(self, words, hide):
        environment = {"CLICOLOR_FORCE": "1", **os.environ}
        process = subprocess.Popen([str(self.root / "lab"), *words], cwd=self.folder, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace")
        said = []
        try:
            for line in process.stdout:
                said.append(line)
                if hide is None or not line.startswith(hide):
                    print(in_notebook(line), end="", flush=True)
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            print(process.stdout.read(), end="")
        return process.wait(), "".join(said)


def in_notebook(text):
    """Commands that ./lab names, as a notebook has them."""
    return text.replace("./lab ", "%lab ")


def load_ipython_extension(shell):
    shell.register_magics(LabMagics(shell))
