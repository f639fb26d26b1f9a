// Puts the page together: reads what was recorded, and moves through it by keys and clicks.
import { decode, isAccess, lanesIn } from './recording.js';
import { arraysOf, placeOf } from './arrays.js';
import { Replay } from './replay.js';
import { SourceView } from './source.js';
import { LanesView } from './lanes.js';
import { Timeline } from './timeline.js';
import { StepTable } from './table.js';
import { html } from './draw.js';
import * as moves from './moves.js';
import { laneFacts, sentence, threadName } from './words.js';

const at = (id) => document.getElementById(id);

async function unpacked(base64) {
  const packed = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

// One recording with all that shows it.
class Run {
  constructor(page, data) {
    this.label = data.label;
    this.note = data.note ?? '';
    this.isReference = data.is_reference ?? false;
    this.recording = decode(data.recording);
    this.files = data.files;
    this.arrays = arraysOf(this.recording, data.arrays);
    this.replay = new Replay(this.recording, this.arrays);
    this.source = new SourceView(at('source'), this, this.files);
    this.lanes = new LanesView(at('lanes'), this, (lane) => page.chooseLane(lane));
    this.timeline = new Timeline(at('timeline'), this, (index) => page.goTo(index));
    this.table = new StepTable(at('table'), this, (index) => page.goTo(index));
    this.findings = data.findings ?? [];
    this.index = moves.first(this.recording.steps);
  }

  get step() {
    return this.recording.steps[this.index];
  }

  // The steps that the finding is about.
  marks() {
    const found = this.findings[0];
    if (!found) return [];
    const { steps } = this.recording;
    return [found.other, found.step]
      .filter((index) => index !== null && index !== undefined)
      .sort((a, b) => a - b)
      .map((index) => ({ index, label: { store: 'write', load: 'read' }[steps[index].kind] ?? steps[index].kind }));
  }

  // The elements, warps and lanes on which the marked steps meet.
  conflict() {
    const elements = new Map();
    const warps = [];
    const lanes = new Set();
    const found = this.findings[0];
    const { steps } = this.recording;
    if (!found) return { elements, warps, lanes };
    const place = placeOf(this.arrays, found.address);
    for (const { index } of this.marks()) {
      warps.push(steps[index].warp);
      if (!isAccess(steps[index])) continue;
      steps[index].addresses.forEach((address, k) => {
        if (place && address <= found.address && found.address < address + steps[index].bytes)
          lanes.add(steps[index].lanes[k]);
      });
    }
    if (place) elements.set(place.array, new Set([place.index]));
    return { elements, warps, lanes };
  }
}

class Page {
  constructor(data) {
    this.data = data;
    this.runs = data.runs.map((run) => new Run(this, run));
    this.run = this.runs[0];
    this.lane = null;
    this.showsTable = false;
    this.addButtons();
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('resize', () => this.show());
    const marks = this.run.marks();
    if (marks.length > 0) this.run.index = marks[marks.length - 1].index;
    this.show();
  }

  commands() {
    const step = (move) => (direction) => this.goTo(move(this.run.recording.steps, this.run.index, direction));
    const others = this.runs.filter((r) => !r.isReference);
    const reference = this.runs.find((r) => r.isReference);
    return [
      { name: 'step', keys: ['ArrowRight', 'ArrowLeft'], shown: '← →', act: step(moves.access) },
      { name: 'line', keys: ['n', 'N'], shown: 'n N', act: step(moves.line) },
      { name: 'barrier', keys: ['b', 'B'], shown: 'b B', act: step(moves.barrier) },
      { name: 'warp', keys: ['w', 'W'], shown: 'w W', act: step(moves.warp) },
      { name: 'the mistake', keys: ['m', 'M'], shown: 'm', act: (d) => this.toMistake(d), absent: this.run.marks().length === 0, isMain: true },
      { name: 'other order', keys: ['o'], shown: 'o', act: () => this.other(others), absent: others.length < 2 },
      { name: 'reference', keys: ['r'], shown: 'r', act: () => this.other([others[0], reference]), absent: !reference },
      { name: 'lane', keys: ['ArrowDown', 'ArrowUp'], shown: '↑ ↓', act: (d) => this.nextLane(d) },
      { name: 'table', keys: ['t'], shown: 't', act: () => this.toggleTable() },
    ];
  }

  addButtons() {
    at('keys').replaceChildren(
      ...this.commands().filter((c) => !c.absent).map((command) =>
        html('button', { class: command.isMain ? 'main' : '', title: `key ${command.shown}`,
          onclick: (event) => { command.act(event.shiftKey ? -1 : 1); event.currentTarget.blur(); } },
          command.name, html('kbd', {}, command.shown))));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const command = this.commands().find((c) => !c.absent && c.keys.includes(event.key));
    if (!command) return;
    event.preventDefault();
    command.act(command.keys.indexOf(event.key) === 1 ? -1 : 1);
  }

  goTo(index) {
    this.run.index = index;
    this.show();
  }

  toMistake(direction) {
    const marks = this.run.marks().map((m) => m.index);
    if (direction < 0) marks.reverse();
    const now = marks.indexOf(this.run.index);
    this.goTo(marks[now < 0 ? marks.length - 1 : (now + 1) % marks.length]);
  }

  // The next of these runs, at about the same place.
  other(runs) {
    const now = runs.indexOf(this.run);
    const part = this.run.index / this.run.recording.steps.length;
    const wasAtMark = this.run.marks().findIndex((m) => m.index === this.run.index);
    this.run = runs[(now + 1) % runs.length];
    const marks = this.run.marks();
    const { steps } = this.run.recording;
    this.run.index = wasAtMark >= 0 && marks[wasAtMark]
      ? marks[wasAtMark].index : Math.min(steps.length - 1, Math.floor(part * steps.length));
    this.run.source.file = null;
    this.addButtons();
    this.show();
  }

  chooseLane(lane) {
    this.lane = lane;
    this.show();
  }

  nextLane(direction) {
    this.chooseLane((this.shownLane() + direction + 32) % 32);
  }

  // The chosen lane; else one in conflict; else the first that works.
  shownLane() {
    if (this.lane !== null) return this.lane;
    const lanes = lanesIn(this.run.step.mask);
    const conflict = this.run.conflict();
    return lanes.find((l) => conflict.lanes.has(l) && this.run.marks().some((m) => m.index === this.run.index)) ?? lanes[0] ?? 0;
  }

  toggleTable() {
    this.showsTable = !this.showsTable;
    this.show();
  }

  show() {
    const { run } = this;
    const { step } = run;
    // What is read now is shown as it was before: a load changes nothing, a store is drawn as done.
    run.replay.goTo(run.index);
    const marks = run.marks();
    const lane = this.shownLane();
    this.heading();
    run.source.show(step, marks.map((m) => run.recording.lines[run.recording.steps[m.index].line]));
    this.finding();
    this.laneTable(step, lane);
    at('table').hidden = !this.showsTable;
    at('lanes').hidden = this.showsTable;
    if (this.showsTable) run.table.show(step);
    else run.lanes.show(step, lane, run.conflict());
    run.timeline.show(step, marks);
    at('said').textContent = sentence(run, step, run.arrays);
  }

  heading() {
    const { run } = this;
    at('title').textContent = this.data.title;
    at('call').textContent = this.data.call;
    at('verdict').textContent = this.data.verdict;
    at('order').textContent = `${run.label} · step ${run.index + 1} / ${run.recording.steps.length}` +
      (run.recording.is_cut ? ' (more was not recorded)' : '');
    at('note').textContent = run.note;
    const { grid, block } = run.recording;
    const blocks = grid[0] * grid[1] * grid[2];
    at('launch').textContent =
      `${run.recording.kernel}: ${blocks} ${blocks === 1 ? 'block' : 'blocks'} of ${block.filter((n, i) => i === 0 || n > 1).join(' x ')} threads`;
  }

  finding() {
    const found = this.run.findings[0];
    at('finding').hidden = !found && !this.data.message;
    if (at('finding').hidden) return;
    const links = this.run.marks().map((mark, i) =>
      html('a', { href: '#', onclick: (event) => { event.preventDefault(); this.goTo(mark.index); } },
        `[${i + 1}] step ${mark.index + 1}, line ${this.run.recording.lines[this.run.recording.steps[mark.index].line].line}: ${mark.label}`));
    at('finding').replaceChildren(
      html('h2', {}, this.data.verdict || 'What is wrong'),
      html('p', {}, this.data.message || found.message),
      html('p', { class: 'links' }, links));
  }

  laneTable(step, lane) {
    const { run } = this;
    const rows = [];
    const { steps } = run.recording;
    for (let i = run.index; i >= 0 && rows.length < 6; --i) {
      const other = steps[i];
      if (!isAccess(other) || other.block !== step.block || other.warp !== step.warp || !other.lanes.includes(lane)) continue;
      run.replay.goTo(i);
      const facts = laneFacts(other, lane, run.arrays, run.replay);
      rows.unshift(html('tr', { class: i === run.index ? 'current' : '' },
        html('td', {}, `${i + 1}`), html('td', {}, `${run.recording.lines[other.line].line}`), html('td', {}, facts.does),
        html('td', {}, facts.element), html('td', {}, facts.value), html('td', {}, facts.address)));
    }
    run.replay.goTo(run.index);
    at('lane').replaceChildren(
      html('h2', {}, `Lane ${lane} of warp ${step.warp} = ${threadName(run.recording, step, lane)}`),
      html('table', {},
        html('thead', {}, html('tr', {}, ['step', 'line', 'does', 'element', 'value', 'address'].map((t) => html('th', {}, t)))),
        html('tbody', {}, rows.length ? rows : html('tr', {}, html('td', { colspan: 6 }, 'has not touched memory yet')))));
  }
}

window.stepper = new Page(await unpacked(at('recordings').textContent));
