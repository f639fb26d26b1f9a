// Puts the page together: reads what was recorded, and moves through it by keys and clicks.
import { blockText, decode, isAccess, isShuffle, lanesIn } from './recording.js';
import { arraysOf, elementText } from './arrays.js';
import { conflictOf, markedLane, missingText } from './marks.js';
import { Replay } from './replay.js';
import { SourceView } from './source.js';
import { LanesView } from './lanes.js';
import { legendOf } from './legend.js';
import { Timeline } from './timeline.js';
import { StepTable } from './table.js';
import { html } from './draw.js';
import * as moves from './moves.js';
import { count, laneFacts, sentence, threadName } from './words.js';

const at = (id) => document.getElementById(id);

async function unpacked(base64) {
  const packed = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

// One recording with all that shows it.
class Run {
  constructor(page, data) {
    this.launch = data.launch;
    this.verdict = data.verdict;
    this.label = data.label;
    this.note = data.note ?? '';
    this.isReference = data.is_reference ?? false;
    this.recording = decode(data.recording);
    this.files = data.files;
    this.message = data.message;
    this.arrays = arraysOf(this.recording, data.arrays);
    this.replay = new Replay(this.recording, this.arrays);
    this.source = new SourceView(at('source'), this, this.files);
    this.lanes = new LanesView(at('lanes'), this, (lane) => page.chooseLane(lane));
    this.timeline = new Timeline(at('timeline'), this, (index) => page.goTo(index));
    this.table = new StepTable(at('table'), this, (index) => page.goTo(index));
    this.marks = data.marks; // of the mistake: { steps: [{ index, lane, label }], address }
    this.conflict = conflictOf(this);
    this.stops = moves.stops(this.recording.steps);
    this.legend = legendOf(this);
    this.index = this.marks.steps.at(-1)?.index ?? moves.first(this.recording.steps);
  }

  get step() {
    return this.recording.steps[this.index];
  }

}

// "stop 3 / 12": which of the accesses and barriers, where the arrow keys stop, the step is or follows.
function stopText(run) {
  const before = run.stops.filter((stop) => stop <= run.index).length;
  const isOne = run.stops[before - 1] === run.index;
  return `${isOne ? '' : 'after '}stop ${before} / ${run.stops.length}`;
}

class Page {
  constructor(data) {
    this.data = data;
    this.runs = data.runs.map((run) => new Run(this, run));
    this.run = this.runs.find((run) => run.marks.steps.length > 0) ?? this.runs[0];
    this.lane = null;
    this.showsTable = false;
    this.addButtons();
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('resize', () => this.show());
    this.show();
  }

  commands() {
    const step = (move, what) => (direction) => {
      const to = move(this.run.recording.steps, this.run.index, direction);
      if (to === this.run.index) this.note(`No ${direction > 0 ? 'later' : 'earlier'} ${what}.`);
      else this.goTo(to);
    };
    const ours = this.runs.filter((r) => !r.isReference);
    const orders = ours.filter((r) => r.launch === this.run.launch);
    const launches = ours.filter((r, i) => ours.findIndex((o) => o.launch === r.launch) === i);
    const reference = this.reference();
    return [
      { name: 'step', keys: ['ArrowRight', 'ArrowLeft'], shown: '← →', act: step(moves.access, 'access or barrier') },
      { name: 'line', keys: ['n', 'N'], shown: 'n N', act: step(moves.line, 'line') },
      { name: 'barrier', keys: ['b', 'B'], shown: 'b B', act: step(moves.barrier, 'barrier') },
      { name: 'warp', keys: ['w', 'W'], shown: 'w W', act: step(moves.warp, 'step of another warp') },
      { name: 'the mistake', keys: ['m', 'M'], shown: 'm', act: (d) => this.toMistake(d), absent: this.run.marks.steps.length === 0, isMain: true },
      { name: 'other order', keys: ['o'], shown: 'o', act: () => this.crossTo(orders[(orders.indexOf(this.run) + 1) % orders.length]), absent: orders.length < 2 || this.run.isReference },
      { name: 'launch', keys: ['l', 'L'], shown: 'l L', act: (d) => this.nextLaunch(launches, d), absent: launches.length < 2 },
      { name: 'reference', keys: ['r'], shown: 'r', act: () => this.crossTo(this.run.isReference ? this.cameFrom() ?? orders[0] : reference), absent: !reference || !orders[0] },
      { name: 'lane', keys: ['ArrowDown', 'ArrowUp'], shown: '↑ ↓', act: (d) => this.nextLane(d) },
      { name: 'ends', keys: ['End', 'Home'], isHidden: true, act: (d) => this.goTo(d > 0 ? this.run.recording.steps.length - 1 : 0) },
      { name: 'table', keys: ['t'], shown: 't', act: () => this.toggleTable() },
    ];
  }

  addButtons() {
    at('keys').replaceChildren(
      ...this.commands().filter((c) => !c.absent && !c.isHidden).map((command) =>
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

  // Says something until the next key.
  note(text) {
    this.show();
    at('notice').textContent = text;
  }

  toMistake(direction) {
    const marks = this.run.marks.steps.map((m) => m.index);
    if (direction < 0) marks.reverse();
    const now = marks.indexOf(this.run.index);
    if (now >= 0 && marks.length === 1) this.note('No other step is marked.');
    else this.goTo(marks[now < 0 ? marks.length - 1 : (now + 1) % marks.length]);
  }

  // The reference's launch at the same place in the call; its last where it makes fewer.
  reference() {
    const all = this.runs.filter((r) => r.isReference);
    return all.find((r) => r.launch === this.run.launch) ?? all[all.length - 1];
  }

  nextLaunch(launches, direction) {
    const now = launches.findIndex((r) => r.launch === this.run.launch);
    this.turnTo(launches[(now + direction + launches.length) % launches.length]);
  }

  turnTo(run) {
    this.run = run;
    this.run.source.file = null;
    this.addButtons();
    this.show();
  }

  // To the same moment of another run: from a mark to its counterpart, else to the warp's step of the
  // same number. Pressed again without a move, exactly back.
  crossTo(run) {
    const [from, index, lane] = [this.run, this.run.index, this.shownLane()];
    const last = this.crossing;
    const wasAtMark = from.marks.steps.findIndex((m) => m.index === index);
    if (last?.from === run && last.run === from && last.to === index) run.index = last.index;
    else
      run.index = run.marks.steps[wasAtMark]?.index ??
        moves.sameMoment(from.recording.steps, index, run.recording.steps);
    this.crossing = { from, index, lane, run, to: run.index };
    this.turnTo(run);
  }

  // The run that the reference was compared with last.
  cameFrom() {
    return this.crossing?.run === this.run ? this.crossing.from : null;
  }

  chooseLane(lane) {
    this.lane = lane;
    this.show();
  }

  nextLane(direction) {
    this.chooseLane((this.shownLane() + direction + 32) % 32);
  }

  // The chosen lane; else one in conflict; else that of the other run, right after the change; else the
  // first that works.
  shownLane() {
    if (this.lane !== null) return this.lane;
    const { run, crossing } = this;
    const other = crossing?.run === run && crossing.to === run.index ? crossing.lane : undefined;
    return markedLane(run, run.index) ?? other ?? lanesIn(run.step.mask)[0] ?? 0;
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
    const marks = run.marks.steps;
    const lane = this.shownLane();
    this.heading();
    this.finding();
    this.laneTable(step, lane);
    at('table').hidden = !this.showsTable;
    at('lanes').hidden = this.showsTable;
    at('legend').hidden = this.showsTable;
    at('legend').replaceChildren(...run.legend);
    at('shown').textContent = run.timeline.shownText(step, marks);
    at('notice').textContent = '';
    run.timeline.show(step, marks);
    at('said').textContent = [this.sentence(step), this.missing()].join(' ');
    // Last: they scroll in what room the others leave.
    if (this.showsTable) run.table.show(step, lane);
    else run.lanes.show(step, lane, run.conflict);
    run.source.show(step, marks.map((m) => run.recording.lines[run.recording.steps[m.index].line]));
  }

  // "Lane 31 should have written c[255].": of a step that is marked for what is not in it.
  missing() {
    const text = missingText(this.run, this.run.index);
    return text && `L${text.slice(1)}.`;
  }

  sentence(step) {
    return sentence(this.run, step, this.run.arrays);
  }

  verdict() {
    return this.run.isReference ? '' : this.run.verdict;
  }

  heading() {
    const { run } = this;
    at('title').textContent = this.data.title;
    at('call').textContent = this.data.call;
    at('verdict').textContent = this.verdict();
    at('order').textContent = `${run.label} · step ${run.index + 1} / ${run.recording.steps.length} · ${stopText(run)}` +
      (run.recording.is_cut ? ' (more was not recorded)' : '');
    const { grid, block } = run.recording;
    const blocks = grid[0] * grid[1] * grid[2];
    const place = blocks > 1 ? `block ${blockText(run.recording, run.step.block)} of ${blocks}` : 'one block';
    const sizes = block.filter((n, i) => i === 0 || n > 1);
    const threads = sizes.length === 1 ? count(sizes[0], 'thread') : `${sizes.join(' x ')} threads`;
    const many = this.runs.some((r) => r.launch !== run.launch) ? `launch ${run.launch}, ` : '';
    at('launch').textContent =
      `${many}${run.recording.kernel.replace(/\(.*/, '')}: ${place}, of ${threads}`;
  }

  finding() {
    const message = this.data.message || this.run.message;
    at('finding').hidden = this.run.isReference || !message;
    if (at('finding').hidden) return;
    const links = this.run.marks.steps.map((mark, i) =>
      html('a', { href: '#', onclick: (event) => { event.preventDefault(); this.goTo(mark.index); } },
        `[${i + 1}] step ${mark.index + 1}, line ${this.run.recording.lines[this.run.recording.steps[mark.index].line].line}: ${mark.label}`));
    at('finding').replaceChildren(html('div', {},
      html('h2', {}, this.verdict() || 'What is wrong'),
      this.explanation(message),
      this.wrongValue(),
      html('p', { class: 'links' }, links)));
  }

  wrongValue() {
    const { wrong } = this.data;
    const first = wrong?.around.find((element) => element.index === wrong.first_wrong);
    if (!first) return null;
    const many = wrong.wrong > 1 ? `, the first of ${wrong.wrong} wrong elements` : '';
    const array = this.run.arrays.find((a) => a.name === wrong.name || a.name.endsWith(`_${wrong.name}`));
    const element = array ? elementText(array, wrong.first_wrong) : `${wrong.name}[${wrong.first_wrong}]`;
    const number = array?.columns ? ` (element ${wrong.first_wrong})` : '';
    return html('p', { class: 'wrong' }, `${element}${number}${many}: expected ${first.expected}, ${first.state === 'never_written' ? 'but it was never written' : `got ${first.got}`}.`);
  }

  // The mistake itself first, where it is known; what it did can be unfolded then.
  explanation(message) {
    if (!this.data.diagnosis) return [html('p', {}, message)];
    return [html('p', {}, this.data.diagnosis),
      html('details', {}, html('summary', {}, 'What happened'), html('p', {}, message))];
  }

  laneTable(step, lane) {
    const { run } = this;
    const rows = [];
    const { steps } = run.recording;
    for (let i = run.index; i >= 0 && rows.length < 6; --i) {
      const other = steps[i];
      const isIts = other.block === step.block && other.warp === step.warp && other.lanes?.includes(lane);
      if (!isIts || !(isAccess(other) || isShuffle(other))) continue;
      run.replay.goTo(i);
      const facts = laneFacts(other, lane, run.arrays, run.replay);
      rows.unshift(html('tr', { class: i === run.index ? 'current' : '' },
        html('td', {}, `${i + 1}`), html('td', {}, `${run.recording.lines[other.line].line}`), html('td', {}, facts.does),
        html('td', {}, facts.element), html('td', {}, facts.value), html('td', {}, facts.address)));
    }
    run.replay.goTo(run.index);
    at('lane').replaceChildren(...[
      html('h2', {}, `Lane ${lane} of warp ${step.warp} = ${threadName(run.recording, step, lane)}`),
      markedLane(run, run.index) === lane && this.missing() ? html('p', { class: 'missing' }, this.missing()) : null,
      html('table', {},
        html('thead', {}, html('tr', {}, ['step', 'line', 'does', 'element', 'value', 'address'].map((t) => html('th', {}, t)))),
        html('tbody', {}, rows.length ? rows : html('tr', {}, html('td', { colspan: 6 }, 'has touched no memory yet'))))].filter(Boolean));
  }
}

window.stepper = new Page(await unpacked(at('recordings').textContent));
