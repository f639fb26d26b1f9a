// The steps that the mistake is about; marks.h says how they are found.
import { elementText, placeOf } from './arrays.js';

// What to show in red: { elements: array -> indices, warps }.
export function conflictOf(run) {
  const { steps, address } = run.marks;
  const place = address === null ? null : placeOf(run.arrays, address);
  return {
    elements: new Map(place ? [[place.array, new Set([place.index])]] : []),
    warps: steps.map((mark) => run.recording.steps[mark.index].warp),
  };
}

// The mark at a step, if there is one.
export const markAt = (run, index) => run.marks.steps.find((mark) => mark.index === index);

// The lane that a marked step is about.
export const markedLane = (run, index) => markAt(run, index)?.lane;

// "lane 31 should have written c[255]", where the step's mark is about what a lane does not do; or ''.
export function missingText(run, index) {
  const mark = markAt(run, index);
  if (!mark?.is_missing) return '';
  const place = run.marks.address === null ? null : placeOf(run.arrays, run.marks.address);
  const what = place ? elementText(place.array, place.index) : 'it';
  return `lane ${mark.lane} should have written ${what}`;
}
