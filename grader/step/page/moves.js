// Where a key leads from a step: each gives the index to go to, or the same one where there is none.
import { isAccess, isShuffle } from './recording.js';

// Barriers open for all of a block at once: the last of these steps counts.
const opens = (steps, i) =>
  steps[i].kind === 'go_on' && !(steps[i + 1]?.kind === 'go_on' && steps[i + 1].block === steps[i].block);

const isStop = (steps, i) => isAccess(steps[i]) || isShuffle(steps[i]) || steps[i].kind === 'wait' || opens(steps, i);

function search(steps, from, direction, wanted) {
  for (let i = from + direction; i >= 0 && i < steps.length; i += direction) if (wanted(i)) return i;
  return from;
}

export const access = (steps, from, direction) =>
  search(steps, from, direction, (i) => isStop(steps, i));

export const barrier = (steps, from, direction) =>
  search(steps, from, direction, (i) => opens(steps, i));

export const line = (steps, from, direction) =>
  search(steps, from, direction, (i) => steps[i].line !== steps[from].line || steps[i].warp !== steps[from].warp ||
    steps[i].block !== steps[from].block);

export const warp = (steps, from, direction) =>
  search(steps, from, direction, (i) => steps[i].warp !== steps[from].warp || steps[i].block !== steps[from].block);

// The steps that `access` stops at.
export const stops = (steps) => steps.filter((step) => isStop(steps, step.index)).map((step) => step.index);

// The first step of a recording that shows something.
export const first = (steps) => search(steps, -1, 1, (i) => isStop(steps, i));

// A moment of one warp. Unlike at isStop, each warp's own way through a barrier counts: which one is
// last differs from order to order.
const isMoment = (step) => isAccess(step) || isShuffle(step) || step.kind === 'wait' || step.kind === 'go_on';

// The step of `there` at the same moment as here[at]: of the same block and warp, and as many accesses
// and barriers from its beginning. Its last one where it has fewer; the first step that shows
// something where it has no such warp.
export function sameMoment(here, at, there) {
  const isIts = (step) => isMoment(step) && step.block === here[at].block && step.warp === here[at].warp;
  const others = there.filter(isIts);
  const number = here.slice(0, at + 1).filter(isIts).length;
  if (others.length === 0) return first(there);
  return others[Math.min(Math.max(number, 1), others.length) - 1].index;
}
