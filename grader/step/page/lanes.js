// The right side: each warp a row of 32 cells, below them the arrays on the same columns, and links
// from the lanes to what they touch.
import { svg } from './draw.js';
import { blockText, isAccess, isShuffle, isWrite } from './recording.js';
import { elementText, placeOf } from './arrays.js';
import { markAt } from './marks.js';
import { bankPasses, shortCost } from './words.js';

const LEFT = 76;
const PITCH = 16;
export const CELL = 14;
const ROW = 17;
const MOST_WARPS = 8;
const FEW_WARPS = 4; // where the drawing is higher than its place
const MOST_ROWS = 8;
const FEW_ROWS = 2; // are always drawn
const LETTER = 6.7; // pixels of one of the names

const x = (column) => LEFT + column * PITCH;

function cell(column, y, kind, letter, title, attributes = {}) {
  return svg('g', { class: `cell ${kind}`, transform: `translate(${x(column)} ${y})`, ...attributes },
    svg('title', {}, title),
    svg('rect', { width: CELL, height: CELL, rx: 2 }),
    letter ? svg('text', { x: CELL / 2, y: 10.5 }, letter) : null);
}

const text = (at, y, content, kind = '') => svg('text', { x: at, y, class: kind }, content);

// The warps to show: all, or the one that runs, those in conflict, and the first.
export function warpsToShow(total, running, conflicting, most = MOST_WARPS) {
  if (total <= most) return Array.from({ length: total }, (_, w) => w);
  const chosen = new Set([running, ...conflicting]);
  for (let w = 0; chosen.size < most; ++w) chosen.add(w);
  return [...chosen].sort((a, b) => a - b);
}

function laneState(warp, lane, step, isRunning) {
  const has = (mask) => ((mask >>> lane) & 1) === 1;
  if (!has(warp.live)) return ['ended', 'E', 'has left the kernel, or has no thread'];
  if (has(warp.waiting)) return ['waiting', 'B', 'waits at a barrier'];
  if (!isRunning) return ['ready', '', 'is not at work in this step'];
  if (!has(step.mask)) return ['masked', '-', 'is masked: this step is not for it'];
  if (isShuffle(step)) return ['working', 'S', 'takes a value from another lane'];
  if (!isAccess(step)) return ['working', 'o', 'computes'];
  return ['working', { load: 'R', store: 'W', atomic: 'A' }[step.kind], 'accesses memory'];
}

export class LanesView {
  constructor(root, run, choose) {
    this.root = root;
    this.run = run;
    this.choose = choose; // (lane) => ...
    this.needed = rowsNeeded(run.recording, run.arrays);
    this.shown = new Map(); // array -> the rows drawn last
    this.mostWarps = MOST_WARPS;
  }

  show(step, lane, conflict) {
    const height = this.draw(step, lane, conflict);
    if (height > this.root.clientHeight && this.mostWarps > FEW_WARPS) {
      this.mostWarps = FEW_WARPS;
      this.draw(step, lane, conflict);
    }
    this.reveal();
  }

  // Scrolls no further than needed to see the elements that this step touches, or misses.
  reveal() {
    const [top, bottom] = this.touchedRows ?? [0, 0];
    if (bottom + ROW > this.root.scrollTop + this.root.clientHeight)
      this.root.scrollTop = bottom + ROW - this.root.clientHeight;
    if (top < this.root.scrollTop) this.root.scrollTop = Math.max(0, top - 2 * ROW);
  }

  // Whether an array has more rows than are drawn.
  hidesRows(array) {
    return allRows(array).length > Math.max(FEW_ROWS, Math.min(MOST_ROWS, this.needed.get(array)));
  }

  noteTouched(y) {
    this.touchedRows ??= [y, y];
    this.touchedRows[1] = y + ROW;
  }

  // Returns the height of the drawing.
  draw(step, lane, conflict) {
    this.touchedRows = null;
    const { replay } = this.run;
    const block = replay.block(step.block);
    const parts = [];
    let y = 14;
    for (const column of [0, 8, 16, 24]) parts.push(text(x(column) + 3, y, `${column}`, 'dim'));
    y += 7;
    const shown = warpsToShow(block.warps.length, step.warp, conflict.warps, this.mostWarps);
    for (const w of shown) {
      parts.push(text(4, y + 12, `${w === step.warp ? '> ' : ''}warp ${w}`, w === step.warp ? 'strong' : ''));
      for (let l = 0; l < 32; ++l) {
        const [kind, letter, title] = laneState(block.warps[w], l, step, w === step.warp);
        const isChosen = w === step.warp && l === lane;
        parts.push(cell(l, y, `${kind}${isChosen ? ' chosen' : ''}`, letter, `lane ${l} of warp ${w} ${title}`,
          w === step.warp ? { onclick: () => this.choose(l) } : {}));
      }
      y += ROW;
    }
    if (shown.length < block.warps.length) {
      parts.push(text(4, y + 10, `and ${block.warps.length - shown.length} other warps`, 'dim'));
      y += 14;
    }
    const laneY = y; // links go from below all warps: the column says which lane
    y += 32;
    const links = [];
    if (this.run.recording.steps.some(isShuffle)) y = this.shuffle(step, lane, y, laneY, parts, links);
    for (const array of this.run.arrays) y = this.array(array, step, lane, conflict, y, laneY, parts, links);
    const width = x(32) + 4;
    this.root.replaceChildren(
      svg('svg', { viewBox: `0 0 ${width} ${y}`, width, height: y, role: 'img',
        'aria-label': `lanes and arrays of block ${blockText(this.run.recording, step.block)}` },
        PATTERNS(), svg('g', { class: 'links' }, links), parts));
    return y;
  }

  // The lane that each lane takes its value from, in a row of its own; empty in other steps.
  shuffle(step, lane, y, laneY, parts, links) {
    if (isShuffle(step)) {
      parts.push(text(4, y + 12, 'from lane', 'strong'));
      step.lanes.forEach((to, k) => {
        const from = step.from[k];
        parts.push(cell(to, y, `read-now${to === lane ? ' chosen' : ''}`, `${from}`, `lane ${to} takes from lane ${from}`));
        links.push(svg('line', { x1: x(from) + CELL / 2, y1: laneY, x2: x(to) + CELL / 2, y2: y,
          class: to === lane ? 'chosen' : '' }));
      });
    }
    return y + ROW + 22;
  }

  // The rows to draw: those touched; others stay as they were at the step before.
  rowsOf(array, touched, conflicting) {
    const rows = allRows(array);
    const room = Math.min(MOST_ROWS, Math.max(this.needed.get(array), conflicting ? 2 : 1));
    if (rows.length <= Math.max(room, FEW_ROWS)) return { shown: rows, hidden: 0 };
    const wanted = [...(conflicting ?? []), ...touched.keys()]
      .map((index) => rowOf(array, index)).filter((row) => row >= 0 && row < rows.length);
    const chosen = [...new Set([...wanted, ...(this.shown.get(array) ?? []), ...rows.keys()])].slice(0, room);
    this.shown.set(array, chosen);
    return { shown: chosen.sort((a, b) => a - b).map((row) => rows[row]), hidden: rows.length - room };
  }

  // Draws one array from `y` on; returns where the next begins.
  array(array, step, lane, conflict, y, laneY, parts, links) {
    const { replay } = this.run;
    const touched = new Map(); // element -> lanes
    if (isAccess(step))
      step.addresses.forEach((address, k) => {
        const place = placeOf([array], address);
        if (!place || place.isOutside) return;
        const elements = Math.max(1, step.bytes / array.numbers.bytes);
        for (let e = 0; e < elements; ++e) {
          const at = place.index + e;
          if (!touched.has(at)) touched.set(at, []);
          touched.get(at).push(step.lanes[k]);
        }
      });
    const rows = this.rowsOf(array, touched, conflict.elements.get(array));
    const mark = markAt(this.run, step.index);
    const memory = replay.memoryOf(array, step.block);
    const captionX = Math.max(x(0) + 60, 4 + (array.name.length + 2) * LETTER);
    parts.push(text(4, y, array.name, 'strong caption'), text(captionX, y, this.caption(array, step, touched), 'dim caption'));
    y += 7;
    for (const row of rows.shown) {
      parts.push(text(x(0) - 8, y + 12, row.label, 'dim end'));
      for (let column = 0; column < row.length; ++column) {
        const index = row.first + column;
        parts.push(this.element(array, memory, index, column, y, step, touched, conflict));
        for (const l of touched.get(index) ?? []) {
          const isBad = conflict.elements.get(array)?.has(index) && l === mark?.lane;
          links.push(svg('line', { x1: x(l) + CELL / 2, y1: laneY, x2: x(column) + CELL / 2, y2: y,
            class: isBad ? 'bad' : l === lane ? 'chosen' : '' }));
        }
        const isMissed = mark?.is_missing && conflict.elements.get(array)?.has(index);
        if (isMissed || touched.has(index)) this.noteTouched(y);
        if (isMissed)
          links.push(svg('line', { x1: x(mark.lane) + CELL / 2, y1: laneY, x2: x(column) + CELL / 2, y2: y, class: 'bad missing' }));
      }
      const apart = array.space === 'global' ? Math.max(1, 32 / array.numbers.bytes) : 32;
      for (let column = 0; column <= row.length; column += apart)
        parts.push(svg('line', { class: 'sector', x1: x(column) - 1, x2: x(column) - 1, y1: y - 2, y2: y + CELL + 2 }));
      y += ROW;
    }
    y = this.outside(array, step, lane, y, laneY, parts, links);
    if (rows.hidden > 0) {
      parts.push(...thumbnail(array, memory, touched, y + 2));
      y += 16;
      parts.push(text(x(0), y + 10, `all ${array.count} elements; ${rows.hidden} more rows are not drawn above`, 'dim caption'));
      y += 14;
    }
    return y + 22;
  }

  // Elements that this step touches though the array does not have them.
  outside(array, step, lane, y, laneY, parts, links) {
    const lanesBy = new Map();
    if (isAccess(step))
      step.addresses.forEach((address, k) => {
        const place = placeOf(this.run.arrays, address);
        if (place?.array === array && place.isOutside)
          lanesBy.set(place.index, [...(lanesBy.get(place.index) ?? []), step.lanes[k]]);
      });
    if (lanesBy.size === 0) return y;
    this.noteTouched(y);
    parts.push(text(x(0) - 8, y + 12, 'outside', 'bad end'));
    [...lanesBy].slice(0, 32).forEach(([index, lanes], column) => {
      parts.push(cell(column, y, 'outside', '!', `${array.name}[${index}] is outside: it has ${array.count} elements`));
      for (const l of lanes)
        links.push(svg('line', { x1: x(l) + CELL / 2, y1: laneY, x2: x(column) + CELL / 2, y2: y, class: l === lane ? 'bad' : 'bad thin' }));
    });
    const first = Math.min(...lanesBy.keys());
    parts.push(text(x(Math.min(32, lanesBy.size)) + 4, y + 12, `${array.name}[${first}]`, 'bad caption'));
    return y + ROW;
  }

  caption(array, step, touched) {
    const shape = array.columns
      ? `[${Math.ceil(array.count / array.columns)}][${array.columns}]` : `[${array.count}]`;
    const name = `${array.space === 'shared' ? 'shared ' : ''}${array.numbers.name()}${shape}`;
    if (array.space === 'shared')
      return `${name}, 32 banks a row${touched.size ? `, ${shortCost(step)}${bankPasses(step) > 1 ? ': bank conflict' : ''}` : ''}`;
    return `${name}, lines: sectors of 32 bytes${touched.size ? `, ${shortCost(step)} touched` : ''}`;
  }

  element(array, memory, index, column, y, step, touched, conflict) {
    const at = index * array.numbers.bytes;
    const isWritten = memory.written[at] === 1;
    const value = isWritten ? array.numbers.text(memory.bytes, at) : 'never written';
    const lanes = touched.get(index);
    const isBad = conflict.elements.get(array)?.has(index) ?? false;
    const kinds = [isWritten ? 'written' : 'unwritten'];
    let letter = '';
    if (lanes) {
      kinds.push(isWrite(step) ? 'written-now' : 'read-now');
      letter = lanes.length > 1 ? (lanes.length > 9 ? '+' : `${lanes.length}`) : isWrite(step) ? 'w' : 'r';
    }
    if (isBad) {
      kinds.push('conflict');
      letter = '!';
    }
    return cell(column, y, kinds.join(' '), letter, `${elementText(array, index)} = ${value}`);
  }
}

// The rows of an array: of 32 elements, or of its own columns.
function allRows(array) {
  const rows = [];
  const columns = array.columns || array.count;
  for (let first = 0; first < array.count; first += columns)
    for (let part = 0; part < columns && first + part < array.count; part += 32)
      rows.push({
        first: first + part,
        length: Math.min(32, columns - part, array.count - first - part),
        label: rowLabel(array, first + part),
      });
  return rows;
}

// "[32]" of one dimension, "[3]" of rows that fit a line, else "[3][32]": as elementText() names them.
function rowLabel(array, index) {
  if (!array.columns) return `[${index}]`;
  return array.columns <= 32 ? `[${index / array.columns}]` : elementText({ ...array, name: '' }, index);
}

// The number of the row that an element lies in.
function rowOf(array, index) {
  const columns = array.columns || array.count;
  return Math.floor(index / columns) * Math.ceil(columns / 32) + Math.floor((index % columns) / 32);
}

// As many rows as one step touches at most, so that nothing moves from step to step.
function rowsNeeded(recording, arrays) {
  const most = new Map(arrays.map((array) => [array, 1]));
  for (const step of recording.steps) {
    if (!isAccess(step)) continue;
    const touched = new Map();
    for (const address of step.addresses) {
      const place = placeOf(arrays, address);
      if (!place || place.isOutside) continue;
      if (!touched.has(place.array)) touched.set(place.array, new Set());
      touched.get(place.array).add(rowOf(place.array, place.index));
    }
    for (const [array, rows] of touched) most.set(array, Math.max(most.get(array), rows.size));
  }
  return most;
}

// All of a long array in one strip.
function thumbnail(array, memory, touched, y) {
  const width = 32 * PITCH - 2;
  const bins = Math.min(array.count, 272);
  const marks = [svg('rect', { class: 'strip', x: x(0), y, width, height: 9 })];
  for (let bin = 0; bin < bins; ++bin) {
    const from = Math.floor((bin * array.count) / bins);
    const to = Math.max(from + 1, Math.floor(((bin + 1) * array.count) / bins));
    let isWritten = false;
    let isTouched = false;
    for (let i = from; i < to; ++i) {
      isWritten ||= memory.written[i * array.numbers.bytes] === 1;
      isTouched ||= touched.has(i);
    }
    if (isWritten || isTouched)
      marks.push(svg('rect', { class: isTouched ? 'strip touched' : 'strip written',
        x: x(0) + (bin * width) / bins, y, width: width / bins, height: 9 }));
  }
  return marks;
}

const PATTERNS = () =>
  svg('defs', {},
    svg('pattern', { id: 'hatch', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      svg('rect', { width: 5, height: 5, class: 'hatch-ground' }), svg('rect', { width: 1.4, height: 5, class: 'hatch-line' })));
