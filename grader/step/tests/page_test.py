#!/usr/bin/env python3
"""The stepper's page in Chromium, by keys and clicks: page_test.py LAB PROGRAM SOURCE.

LAB is the program `lab`, PROGRAM is page_programs.cu compiled, SOURCE is that file. Exit code 77:
there is no Chromium, or no selenium.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("selenium is not installed: nothing was tested")
    sys.exit(77)

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
LAB, PROGRAM, SOURCE = sys.argv[1:4]
FOLDER = tempfile.TemporaryDirectory()
WIDTH, HEIGHT = 1280, 800
MOST_BYTES = 2_000_000


def marked(name):
    """The number of the line that is marked so."""
    lines = Path(SOURCE).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"// MARK {name}"))


def page_of(launch):
    file = Path(FOLDER.name) / f"{launch}.html"
    subprocess.run([LAB, "vgpu", "run", f"--step={file}", "--", PROGRAM, launch], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return file


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     f"--user-data-dir={FOLDER.name}/profile"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(DRIVER))
    browser.set_window_size(WIDTH, HEIGHT)
    inner = browser.execute_script("return [innerWidth, innerHeight]")
    browser.set_window_size(2 * WIDTH - inner[0], 2 * HEIGHT - inner[1])
    return browser


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def open(self, launch):
        self.file = page_of(launch)
        self.browser.get(f"file://{self.file}")
        self.browser.execute_async_script(
            "const done = arguments[0]; const wait = () => window.stepper ? done() : setTimeout(wait, 20); wait();")

    def press(self, *keys):
        body = self.browser.find_element(By.TAG_NAME, "body")
        for key in keys:
            body.send_keys(key)

    def text(self, name):
        return self.browser.find_element(By.ID, name).text

    def click(self, label):
        buttons = self.browser.find_elements(By.CSS_SELECTOR, "#keys button")
        next(b for b in buttons if b.text.startswith(label)).click()

    def step(self):
        return int(re.search(r"step (\d+)", self.text("order")).group(1))

    def line(self):
        return int(self.browser.find_element(By.CSS_SELECTOR, ".line.current .number").text)

    def cells(self, kind):
        return self.browser.find_elements(By.CSS_SELECTOR, f"#lanes .cell.{kind}")

    def test_race_has_two_sides_and_two_results(self):
        self.open("race")
        self.assertIn("Data race", self.text("verdict"))
        sides = {self.step(): self.line()}
        self.press("m")
        sides[self.step()] = self.line()
        self.assertEqual(set(sides.values()), {marked("write"), marked("read")})
        self.press("m")
        self.assertEqual(len(sides), 2)
        self.assertEqual(len(self.cells("conflict")), 1)
        self.browser.find_elements(By.CSS_SELECTOR, "#finding a")[0].click()
        self.assertEqual(self.step(), min(sides))
        self.assertIn("order A", self.text("order"))
        self.press("o")
        self.assertIn("order B", self.text("order"))
        self.click("other order")
        self.assertIn("order A", self.text("order"))

    def test_another_order_begins_at_the_same_moment(self):
        self.open("race")
        at = "const { run } = stepper; return [run.step.block, run.step.warp, run.step.kind, run.index]"
        marks = self.browser.execute_script("return stepper.run.marks.steps.map((mark) => mark.index)")
        indices = set()
        for steps in range(1, 6):
            self.browser.execute_script("stepper.goTo(0)")
            self.press(*steps * [Keys.ARROW_RIGHT])
            *moment, index = self.browser.execute_script(at)
            if index in marks:  # which lead to the other order's
                continue
            self.press("o")
            *other, other_index = self.browser.execute_script(at)
            self.assertEqual(other, moment)
            self.press("o")
            self.assertEqual(self.browser.execute_script(at), [*moment, index])
            indices.add((index, other_index))
        self.assertTrue(any(a != b for a, b in indices))

    def test_each_step_can_be_taken_back(self):
        self.open("race")
        self.press(Keys.HOME)
        seen = []
        for key, back in ((Keys.ARROW_RIGHT, Keys.ARROW_LEFT), ("n", "N"), ("b", "B"), ("w", "W")):
            self.browser.execute_script("stepper.goTo(0)")
            before = self.browser.find_element(By.ID, "lanes").get_attribute("innerHTML")
            self.press(key, key)
            seen.append(self.step())
            self.press(back, back, back)
            self.browser.execute_script("stepper.goTo(0)")
            self.assertEqual(self.browser.find_element(By.ID, "lanes").get_attribute("innerHTML"), before)
        self.assertGreater(seen[0], 1)
        self.assertGreater(seen[1], 1)

    def test_divergence_stops_at_the_barrier(self):
        self.open("divergence")
        self.assertIn("Barrier", self.text("verdict"))
        self.assertEqual(self.line(), marked("barrier"))
        self.assertEqual(len(self.cells("waiting")) % 16, 0)
        self.assertGreater(len(self.cells("waiting")), 0)

    def test_deadlock_shows_who_waits(self):
        self.open("deadlock")
        self.assertIn("Deadlock", self.text("verdict"))
        self.assertEqual(len(self.cells("waiting")), 32)

    def test_access_outside_is_beside_its_array(self):
        self.open("outside")
        self.assertIn("outside", self.text("verdict"))
        self.assertEqual(self.line(), marked("outside"))
        self.assertEqual(len(self.cells("outside")), 28)  # 128 threads, 100 elements
        self.assertIn("[100] (outside)", self.text("lane"))

    def test_bank_conflict_is_counted(self):
        self.open("banks")
        self.assertEqual(self.text("verdict"), "")
        conflicts = []
        for _ in range(200):
            before = self.step()
            self.press(Keys.ARROW_RIGHT)
            if "Bank conflict: 32 passes" in self.text("said"):
                conflicts.append(self.line())
            if self.step() == before:
                break
        self.assertEqual(conflicts, [marked("column")])

    def test_shuffle_shows_who_takes_from_whom(self):
        self.open("shuffle")
        lines = f"line {marked('shuffle')}"
        self.assertIn(lines, self.text("said"))
        self.assertIn("from the lane 16 above; 16 lanes get their own", self.text("said"))
        drawn = self.text("lanes").replace("\n", " ")
        self.assertIn("from lane", drawn)
        lane = self.text("lane")
        self.assertIn("takes from lane 16 16", lane)  # lane 0: the value of lane 16
        self.press(Keys.ARROW_RIGHT)
        self.assertIn("from the lane 8 above", self.text("said"))
        self.assertIn("takes from lane 8 32", self.text("lane"))  # 8 + 24
        self.assertIn("takes from a lane", self.text("legend"))
        self.press("t")
        self.assertIn("from lane 8", self.text("table"))

    def test_table_says_the_same_in_text(self):
        self.open("race")
        lane_value = self.browser.find_element(By.CSS_SELECTOR, "#lane tr.current td:nth-child(5)").text
        self.press("t")
        cells = lambda place: [c.text for c in self.browser.find_elements(By.CSS_SELECTOR, f"#table {place}")]
        self.assertEqual(cells("tr.current td[data-column=value]"), [lane_value])
        self.assertNotIn("computes", cells("tr:not(.current) td[data-column=does]"))
        wide, room = self.browser.execute_script("const e = document.getElementById('table'); return [e.scrollWidth, e.clientWidth]")
        self.assertLessEqual(wide, room)
        row = self.browser.find_element(By.CSS_SELECTOR, "#table tr[aria-current=step]")
        self.assertTrue(row.text.startswith(str(self.step())))
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#lanes svg:not([hidden])")) and
                         self.browser.find_element(By.ID, "lanes").is_displayed(), False)
        self.press("t")
        self.assertTrue(self.browser.find_element(By.ID, "lanes").is_displayed())

    def test_lane_is_chosen_by_click_and_key(self):
        self.open("race")
        self.browser.find_element(By.CSS_SELECTOR, "#lanes .cell.working").click()
        chosen = self.text("lane").splitlines()[0]
        self.press(Keys.ARROW_DOWN)
        self.assertNotEqual(self.text("lane").splitlines()[0], chosen)

    def test_ends_say_so(self):
        self.open("banks")
        self.press(Keys.HOME)
        self.assertEqual(self.step(), 1)
        self.press("B")
        self.assertEqual(self.text("notice"), "No earlier barrier.")
        self.press(Keys.END, "n")
        self.assertEqual(self.text("notice"), "No later line.")
        self.press(Keys.ARROW_LEFT)
        self.assertEqual(self.text("notice"), "")
        stop = re.search(r"stop (\d+) / (\d+)", self.text("order"))
        self.press(Keys.ARROW_LEFT)
        self.assertIn(f"stop {int(stop[1]) - 1} / {stop[2]}", self.text("order"))

    def test_timeline_says_what_it_shows(self):
        self.open("many")
        self.assertEqual(self.text("shown"), "Timeline: warps 0-3. Not shown: 28 others.")
        self.press(Keys.END)
        self.assertIn(f"warp {self.browser.execute_script('return stepper.run.step.warp')}", self.text("timeline"))
        self.open("outside")
        self.assertIn("warp 0 of block 3. Not shown: 3 other blocks.", self.text("shown"))

    def test_source_can_be_read_in_full(self):
        self.open("banks")
        box = "const box = document.querySelector('.lines');"
        wide, room = self.browser.execute_script(f"{box} return [box.scrollWidth, box.clientWidth]")
        self.assertLessEqual(wide, room)
        # Numbers and costs stay apart, however large.
        self.browser.execute_script("""
            const { run } = stepper;
            run.recording.line_instructions[run.step.line] = 1234567;
            run.source.file = null;
            stepper.show();""")
        gaps = self.browser.execute_script(box + """
            const edges = (e) => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect(); };
            return [...box.querySelectorAll('.line')].filter((line) => line.querySelector('.cost').textContent).map((line) => {
                const [number, cost, code] = ['.number', '.cost', 'code'].map((part) => edges(line.querySelector(part)));
                return Math.min(cost.left - number.right, code.left - cost.right); });""")
        self.assertGreater(min(gaps), 4)

    def test_legend_is_in_sight_with_every_sign(self):
        for launch in ("race", "divergence", "outside", "banks", "many"):
            with self.subTest(launch):
                self.open(launch)
                steps = self.browser.execute_script("return stepper.run.recording.steps.length")
                letters = set()
                for step in range(0, steps, max(1, steps // 40)):
                    self.browser.execute_script("stepper.goTo(arguments[0])", step)
                    letters |= set(self.browser.execute_script(
                        "return [...document.querySelectorAll('#lanes .cell text')].map((t) => t.textContent)"))
                known = self.browser.execute_script(
                    "return [...document.querySelectorAll('#legend .cell text')].map((t) => t.textContent)")
                few = {letter if letter not in "3456789" else "2" for letter in letters}
                self.assertEqual(few - set(known), set())
                for part in ("legend", "keys", "timeline"):
                    box = self.browser.find_element(By.ID, part).rect
                    self.assertGreater(box["height"], 10)
                    self.assertLessEqual(box["y"] + box["height"], HEIGHT)
                right = self.browser.execute_script("const e = document.getElementById('right'); return [e.scrollHeight, e.clientHeight]")
                self.assertLessEqual(*right)

    def test_missing_write_is_drawn_and_said(self):
        self.open("race")
        self.browser.execute_script("""
            const { run } = stepper;
            run.marks.steps = [{ index: 0, lane: 9, label: 'should have written it', is_missing: true }];
            stepper.goTo(0);""")
        for part in ("said", "lane"):
            self.assertRegex(self.text(part), r"Lane 9 should have written s\[\d+\]\.")
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#lanes line.missing")), 1)
        # What the same lane does in the other order.
        self.browser.execute_script("stepper.runs[1].marks.steps = [];")
        self.press("o")
        self.assertIn("order B", self.text("order"))
        self.assertTrue(self.text("lane").startswith("Lane 9 of"))

    def test_grammar_of_one_and_many(self):
        self.open("race")
        one = self.browser.execute_script("""
            const words = (mask, kind) => {
                const step = { ...stepper.run.recording.steps[0], mask, kind, addresses: undefined, lanes: undefined };
                return stepper.sentence(step); };
            return [words(1, 'line'), words(1, 'wait'), words(6, 'line'), words(1, 'leave')];""")
        self.assertEqual([text.split(": ")[1] for text in one],
                         ["lane 0 computes.", "lane 0 waits at a barrier.", "lanes 1-2 compute.", "lane 0 leaves the kernel."])

    def test_fits_is_legible_and_asks_nobody(self):
        for launch in ("race", "divergence", "deadlock", "outside", "banks"):
            with self.subTest(launch):
                self.open(launch)
                self.assertLess(self.file.stat().st_size, MOST_BYTES)
                for colours in ("light", "dark"):
                    self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                        "features": [{"name": "prefers-color-scheme", "value": colours}]})
                    sizes = self.browser.execute_script("""
                        return [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() &&
                            [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
                            .map((e) => [parseFloat(getComputedStyle(e).fontSize), e.textContent.slice(0, 20)])
                            .filter(([size]) => size < 10)""")
                    self.assertEqual(sizes, [])
                wide, tall = self.browser.execute_script(
                    "const e = document.documentElement; return [e.scrollWidth, e.scrollHeight]")
                self.assertLessEqual(wide, WIDTH)
                self.assertLessEqual(tall, HEIGHT)
                asked = self.browser.execute_script(
                    "return performance.getEntriesByType('resource').map((e) => e.name).filter((n) => !n.startsWith('data:'))")
                self.assertEqual(asked, [])
                self.assertEqual(self.browser.get_log("browser"), [])


if __name__ == "__main__":
    if not CHROMIUM or not DRIVER:
        print("chromium or chromedriver is not installed: nothing was tested")
        sys.exit(77)
    os.environ["HOME"] = FOLDER.name
    unittest.main(argv=sys.argv[:1], verbosity=2)
