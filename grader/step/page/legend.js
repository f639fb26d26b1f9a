// The signs that can occur in the drawing of a run, each with what it means.
import { html, svg } from './draw.js';
import { isAccess, isWrite, WARP } from './recording.js';
import { placeOf } from './arrays.js';
import { CELL } from './lanes.js';

const ALL = 0xffffffff;

const swatch = (kind, letter) =>
  svg('svg', { width: CELL + 2, height: CELL + 2, viewBox: `-1 -1 ${CELL + 2} ${CELL + 2}`, 'aria-hidden': 'true' },
    svg('g', { class: `cell ${kind}` },
      svg('rect', { width: CELL, height: CELL, rx: 2 }),
      letter ? svg('text', { x: CELL / 2, y: 10.5 }, letter) : null));

const stroke = (kind) =>
  svg('svg', { width: CELL + 2, height: CELL + 2, class: 'links', 'aria-hidden': 'true' },
    svg('line', { class: kind, x1: 2, y1: 1, x2: CELL, y2: CELL + 1 }));

const stripe = () =>
  svg('svg', { width: 30, height: 9, 'aria-hidden': 'true' },
    svg('rect', { class: 'strip written', width: 18, height: 9 }), svg('rect', { class: 'strip touched', x: 18, width: 6, height: 9 }),
    svg('rect', { class: 'strip', x: 24, width: 6, height: 9 }));

// The most lanes that touch one element in one step.
function mostLanes(steps) {
  let most = 1;
  for (const step of steps) {
    if (!isAccess(step)) continue;
    const lanes = new Map();
    for (const address of step.addresses) lanes.set(address, (lanes.get(address) ?? 0) + 1);
    most = Math.max(most, ...lanes.values());
  }
  return most;
}

// [is it there, its picture, what it means]
function signs(run) {
  const { steps, block, memory } = run.recording;
  const has = (kind) => steps.some((step) => step.kind === kind);
  const isMarked = run.marks.address !== null;
  const isMissing = run.marks.steps.some((mark) => mark.is_missing);
  const isOutside = steps.some((step) => isAccess(step) && step.addresses.some((at) => placeOf(run.arrays, at)?.isOutside));
  const most = mostLanes(steps);
  const isUnwritten = run.arrays.some((a) => a.space === 'shared') || memory.some((piece) => piece.written.includes(0));
  return {
    Lanes: [
      [has('load'), swatch('working', 'R'), 'reads'],
      [has('store'), swatch('working', 'W'), 'writes'],
      [has('atomic'), swatch('working', 'A'), 'atomic'],
      [has('shuffle'), swatch('working', 'S'), 'takes from a lane'],
      [has('line') || has('go_on'), swatch('working', 'o'), 'computes or goes on'],
      [steps.some((step) => step.mask !== ALL), swatch('masked', '-'), 'masked: not its step'],
      [has('wait'), swatch('waiting', 'B'), 'waits at a barrier'],
      [has('leave'), swatch('ended', 'E'), 'ended, or no thread'],
      [block[0] * block[1] * block[2] > WARP, swatch('ready', ''), "another warp's turn"],
      [true, swatch('ready chosen', ''), 'the chosen lane'],
    ],
    Elements: [
      [has('load'), swatch('written read-now', 'r'), 'read now'],
      [steps.some(isWrite), swatch('written-now', 'w'), 'written now'],
      [most > 1, swatch('written read-now', '2'), 'by 2 lanes'],
      [most > 9, swatch('written read-now', '+'), 'by 10 or more'],
      [isMarked || isOutside, swatch('conflict', '!'), isOutside ? 'the mistake; outside' : 'the mistake'],
      [isUnwritten, swatch('unwritten', ''), 'never written'],
      [true, swatch('written', ''), 'holds a value'],
      [run.arrays.some((array) => run.lanes.hidesRows(array)), stripe(), 'all of it: written, touched now, never written'],
    ],
    Links: [
      [true, stroke('chosen'), 'chosen lane'],
      [isMarked || isOutside, stroke('bad'), 'mistake'],
      [isMissing, stroke('bad missing'), 'missing write'],
    ],
  };
}

export const legendOf = (run) =>
  Object.entries(signs(run)).flatMap(([what, all]) =>
    all.filter(([isThere]) => isThere).map(([, picture, meaning], i) =>
      html('span', { class: 'sign' }, i === 0 ? html('b', {}, what) : null, picture, meaning)));
