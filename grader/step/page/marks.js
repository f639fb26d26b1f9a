// The steps that a mistake is about: both sides of a finding, or the store that left a wrong value.
import { isWrite } from './recording.js';
import { placeOf } from './arrays.js';

const LABELS = { store: 'write', load: 'read' };

// { steps: [{ index, lane, label }], address } - or no steps, if the recording has none of it.
export function marksOf(run, wrong) {
  const found = run.findings[0];
  if (found) return ofFinding(run.recording, found);
  return (!run.isReference && wrong && ofWrongValue(run, wrong)) || { steps: [] };
}

function ofFinding({ steps }, found) {
  const marked = [found.other, found.here].filter((side) => side !== null).map(({ step, lane }) => (
    { index: step, lane, label: LABELS[steps[step].kind] ?? steps[step].kind }));
  return { steps: marked.sort((a, b) => a.index - b.index), address: found.address };
}

// The array of the name, or the copy of it that the caller made: "d_c" for "c".
const isNamed = (array, name) => array.name === name || array.name.endsWith(`_${name}`);

function ofWrongValue({ recording, arrays }, wrong) {
  const array = arrays.find((a) => isNamed(a, wrong.name) && wrong.elements * a.numbers.bytes === a.bytes);
  if (!array) return null;
  const address = array.base + wrong.first_wrong * array.numbers.bytes;
  const last = recording.steps.findLast((step) => isWrite(step) && touches(step, address));
  return { steps: last ? [{ index: last.index, lane: laneAt(last, address), label: 'wrong value' }] : [], address };
}

const laneAt = (step, address) => step.lanes[step.addresses.findIndex((at) => at <= address && address < at + step.bytes)];
const touches = (step, address) => laneAt(step, address) !== undefined;

// What to show in red: { elements: array -> indices, warps }.
export function conflictOf(run) {
  const { steps, address } = run.marks;
  const place = address === undefined ? null : placeOf(run.arrays, address);
  return {
    elements: new Map(place ? [[place.array, new Set([place.index])]] : []),
    warps: steps.map((mark) => run.recording.steps[mark.index].warp),
  };
}

// The lane that a marked step is about.
export const markedLane = (run, index) => run.marks.steps.find((mark) => mark.index === index)?.lane;
