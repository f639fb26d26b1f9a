// All steps from left to right, a row a warp; a click goes there.
import { svg } from './draw.js';
import { blockText, WARP } from './recording.js';
import { count, lanesText } from './words.js';

const HEIGHT = 13;
const MOST_WARPS = 4;
const LEFT = 62;

export class Timeline {
  constructor(root, run, goTo) {
    this.root = root;
    this.run = run;
    this.goTo = goTo;
  }

  show(step, marks) {
    const { steps } = this.run.recording;
    const width = Math.max(600, this.root.clientWidth - 8);
    const at = (index) => LEFT + ((index + 0.5) * (width - LEFT - 10)) / steps.length;
    const warps = this.warpsOf(step, marks);
    const parts = [];
    warps.forEach((warp, row) => {
      parts.push(svg('text', { x: 2, y: row * HEIGHT + 11 }, `warp ${warp}`));
      for (const [from, to] of this.stretches(step.block, warp))
        parts.push(svg('rect', { class: 'busy', x: at(from - 0.5), width: Math.max(1, at(to + 0.5) - at(from - 0.5) - 0.5),
          y: row * HEIGHT + 2, height: HEIGHT - 4 }));
    });
    const bottom = warps.length * HEIGHT + 2;
    for (const [k, { index, label }] of marks.entries()) {
      // The labels of two sides go apart.
      const isLate = at(index) > width - 90 || (k === 0 && marks.length > 1 && at(index) > LEFT);
      parts.push(svg('path', { class: 'mark', d: `M ${at(index)} ${bottom} l 5 9 h -10 z` }),
        svg('text', { class: 'mark', x: at(index) + (isLate ? -8 : 8), y: bottom + 10, 'text-anchor': isLate ? 'end' : 'start' }, label));
    }
    parts.push(svg('line', { class: 'now', x1: at(step.index), x2: at(step.index), y1: 0, y2: bottom }));
    const picture = svg('svg', { width, height: bottom + 14, role: 'img',
      'aria-label': `step ${step.index + 1} of ${steps.length}` }, parts);
    picture.addEventListener('click', (event) => {
      const x = event.clientX - picture.getBoundingClientRect().left;
      const index = Math.floor(((x - LEFT) * steps.length) / (width - LEFT - 10));
      this.goTo(Math.min(steps.length - 1, Math.max(0, index)));
    });
    this.root.replaceChildren(picture);
  }

  // The running warp, those of the marks, and the first.
  warpsOf(step, marks) {
    const { steps } = this.run.recording;
    const chosen = new Set([step.warp, ...marks.map((m) => steps[m.index]).filter((s) => s.block === step.block).map((s) => s.warp)]);
    for (const other of steps) {
      if (chosen.size >= MOST_WARPS) break;
      if (other.block === step.block) chosen.add(other.warp);
    }
    return [...chosen].slice(0, MOST_WARPS).sort((a, b) => a - b);
  }

  // "Timeline: warps 0-2, 7 of block 0. Not shown: 4 others, 3 other blocks."
  shownText(step, marks) {
    const { grid, block } = this.run.recording;
    const warps = this.warpsOf(step, marks);
    const product = (sizes) => sizes.reduce((a, b) => a * b, 1);
    const others = Math.ceil(product(block) / WARP) - warps.length;
    const blocks = product(grid) - 1;
    const hidden = [others > 0 && count(others, 'other'), blocks > 0 && count(blocks, 'other block')].filter(Boolean);
    return `Timeline: ${warps.length === 1 ? 'warp' : 'warps'} ${lanesText(warps)}` +
      (blocks > 0 ? ` of block ${blockText(this.run.recording, step.block)}` : '') +
      (hidden.length > 0 ? `. Not shown: ${hidden.join(', ')}.` : '.');
  }

  // Runs of steps of one warp: [first, last].
  stretches(block, warp) {
    this.known ??= new Map();
    const key = `${block} ${warp}`;
    if (!this.known.has(key)) {
      const runs = [];
      for (const step of this.run.recording.steps) {
        if (step.block !== block || step.warp !== warp) continue;
        const last = runs[runs.length - 1];
        if (last && last[1] === step.index - 1) last[1] = step.index;
        else runs.push([step.index, step.index]);
      }
      this.known.set(key, runs);
    }
    return this.known.get(key);
  }
}
