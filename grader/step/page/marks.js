// The steps that the mistake is about; marks.h says how they are found.
import { placeOf } from './arrays.js';

// What to show in red: { elements: array -> indices, warps }.
export function conflictOf(run) {
  const { steps, address } = run.marks;
  const place = address === null ? null : placeOf(run.arrays, address);
  return {
    elements: new Map(place ? [[place.array, new Set([place.index])]] : []),
    warps: steps.map((mark) => run.recording.steps[mark.index].warp),
  };
}

// The lane that a marked step is about.
export const markedLane = (run, index) => run.marks.steps.find((mark) => mark.index === index)?.lane;
