# Makes one HTML site of the book, the handouts and the guides. The sources are the pages as they lie in the
# repository, so that they read as well on GitHub and in an editor; what the site needs beyond that is here.

import re
from pathlib import Path

root = Path(__file__).resolve().parents[2]

project = "CUDA Labs"
html_title = "CUDA Labs"
extensions = ["myst_parser"]
myst_enable_extensions = ["strikethrough"]
myst_heading_anchors = 4
highlight_language = "none"  # a block without a language is output or a drawing
root_doc = "docs/site/index"
include_patterns = ["*.md", "docs/*.md", "docs/book/*.md", "docs/site/*.md", "labs/*/README.md",
                    "grader/README.md", "grader/vgpu/README.md", "grader/vgpu/docs/*.md"]
exclude_patterns = ["build", "prebuilt", "solutions", "data", ".*"]

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["book.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_permalinks = False
html_use_index = False

# A page outside of the site, a folder or a source file: the reader opens it in the checkout.
link = re.compile(r"(?<!!)\[((?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*)\]\(([^)\s:]+)\)")


def is_page(path):
    path = path.relative_to(root)
    return any(path.match(pattern) and len(path.parts) == pattern.count("/") + 1 for pattern in include_patterns)


def read(app, docname, source):
    """Turns links that lead out of the site into plain text, with the path where the text lacks it."""
    page = root / (docname + ".md")

    def replaced(match):
        text, target = match[1], match[2].split("#")[0]
        path = (page.parent / target).resolve()
        if not target or not path.is_relative_to(root) or (path.is_file() and is_page(path)):
            return match[0]
        name = path.relative_to(root).as_posix()
        return text if path.name in text else f"{text} (`{name}`)"

    parts = re.split(r"(^```.*?^```$)", source[0], flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [link.sub(replaced, part) for part in parts[::2]]
    text = "".join(parts)
    if docname == root_doc:  # a release for students lacks some pages
        text = "\n".join(line for line in text.split("\n") if not line.startswith("../") or "*" in line
                         or (page.parent / (line + ".md")).is_file())
    source[0] = text


def finish(app, error):
    """Figures follow the page's theme, not the system's: book.css darkens them. So they lose their own rule for
    dark systems, and their background."""
    for figure in Path(app.outdir, "_images").glob("*.svg"):
        svg = figure.read_text()
        svg = re.sub(r"<style>[^<]*prefers-color-scheme[^<]*</style>\n?", "", svg)
        svg = re.sub(r'<rect( x="0" y="0")? width="[\d.]+" height="[\d.]+" fill="(#ffffff|white)" ?/>', "", svg, count=1)
        figure.write_text(svg)


def setup(app):
    app.connect("source-read", read)
    app.connect("build-finished", finish)
