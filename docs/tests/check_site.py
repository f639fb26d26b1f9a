"""Checks a built site: every link and every picture leads somewhere, and every picture has an alternative text.

    check_site.py SITE
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.targets, self.anchors, self.pictures = [], set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get("id"):
            self.anchors.add(attributes["id"])
        if tag == "a" and attributes.get("href"):
            self.targets.append(attributes["href"])
        if tag == "img":
            self.targets.append(attributes.get("src", ""))
            self.pictures.append((attributes.get("src", ""), attributes.get("alt") or ""))


site = Path(sys.argv[1])
pages = {path: Page(path) for path in site.rglob("*.html") if "_static" not in path.parts}
faults = []
links = pictures = 0
for path, page in pages.items():
    for target in page.targets:
        file, anchor = urldefrag(target)
        if "://" in target or target.startswith("mailto:"):
            continue
        links += 1
        goal = (path.parent / unquote(file)).resolve() if file else path
        if not goal.exists():
            faults.append(f"{path}: {target} leads nowhere")
        elif anchor and goal in pages and unquote(anchor) not in pages[goal].anchors:
            faults.append(f"{path}: {target}: no such section")
    for source, text in page.pictures:
        pictures += 1
        if len(text.split()) < 10:
            faults.append(f"{path}: {source}: the alternative text is missing or a title: \"{text}\"")
for figure in site.glob("_images/*.svg"):
    if "prefers-color-scheme" in figure.read_text():
        faults.append(f"{figure}: follows the system's theme, not the page's")
print(f"{len(pages)} pages, {links} links, {pictures} pictures")
if len(pages) < 30 or pictures < 30 or links < 40 * len(pages):  # each page links to all
    faults.append("the site lacks pages or pictures")
print("\n".join(faults))
sys.exit(bool(faults))
