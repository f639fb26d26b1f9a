// The steps around the current one as a table, for screen readers and for those who prefer text.
import { html } from './draw.js';
import { blockText, isAccess, isShuffle } from './recording.js';
import { doesText, laneFacts, lanesText, maskLanes, shortCost } from './words.js';
import { elementText, placeOf } from './arrays.js';

const BEFORE = 8;
const AFTER = 12;

export class StepTable {
  constructor(root, run, goTo) {
    this.root = root;
    this.run = run;
    this.goTo = goTo;
  }

  // The current step, and those around it that do more than compute.
  show(current, lane) {
    const { steps } = this.run.recording;
    const isShown = (step) => step === current || step.kind !== 'line';
    const around = [...near(steps, current.index, -1, BEFORE, isShown).reverse(), current,
      ...near(steps, current.index, 1, AFTER, isShown)];
    const heads = Object.keys(this.cells(current, lane));
    const rows = around.map((step) => this.row(step, current, lane));
    this.run.replay.goTo(current.index);
    this.root.replaceChildren(
      html('table', {},
        html('thead', {}, html('tr', {}, heads.map((t) => html('th', { scope: 'col' }, t)))),
        html('tbody', {}, rows)));
  }

  row(step, current, lane) {
    this.run.replay.goTo(step.index); // a value is read as of its step
    return html('tr', { class: step === current ? 'current' : '', 'aria-current': step === current ? 'step' : undefined,
      onclick: () => this.goTo(step.index) },
      Object.entries(this.cells(step, lane)).map(([name, content]) =>
        html('td', { 'data-column': name }, words(content))));
  }

  // Column -> text.
  cells(step, lane) {
    const { replay, arrays, recording } = this.run;
    const facts = isAccess(step) || isShuffle(step) ? laneFacts(step, lane, arrays, replay) : null;
    const [x, y, z] = recording.grid;
    return {
      step: `${step.index + 1}`,
      ...(x * y * z > 1 ? { block: blockText(recording, step.block) } : {}),
      warp: `${step.warp}`,
      line: `${recording.lines[step.line]?.line ?? ''}`,
      lanes: lanesText(step.lanes ?? maskLanes(step.mask)),
      does: doesText(step),
      elements: this.elements(step),
      [`lane ${lane}`]: facts?.element ?? '',
      value: facts?.value ?? '',
      cost: shortCost(step),
    };
  }

  elements(step) {
    if (!isAccess(step)) return '';
    const places = step.addresses.map((address) => placeOf(this.run.arrays, address));
    if (places.some((place) => !place || place.isOutside)) return 'outside';
    const { array } = places[0];
    if (places.some((place) => place.array !== array)) return 'several arrays';
    const indices = places.map((place) => place.index);
    const [low, high] = [Math.min(...indices), Math.max(...indices)];
    return low === high ? elementText(array, low) : `${elementText(array, low)} to ${elementText(array, high)}`;
  }
}

// Lines break between words, and not within "a[0][31]".
const words = (text) => text.split(' ').flatMap((word, i) => [i > 0 ? ' ' : '', html('span', {}, word)]);

// Up to `most` steps on one side that are shown, nearest first.
function near(steps, from, direction, most, isShown) {
  const found = [];
  for (let i = from + direction; i >= 0 && i < steps.length && found.length < most; i += direction)
    if (isShown(steps[i])) found.push(steps[i]);
  return found;
}
