// The steps around the current one as a table, for screen readers and for those who prefer text.
import { html } from './draw.js';
import { isAccess } from './recording.js';
import { costText, doesText, lanesText, maskLanes } from './words.js';
import { elementText, placeOf } from './arrays.js';

const BEFORE = 8;
const AFTER = 12;

export class StepTable {
  constructor(root, run, goTo) {
    this.root = root;
    this.run = run;
    this.goTo = goTo;
  }

  show(current) {
    const { steps, lines } = this.run.recording;
    const first = Math.max(0, current.index - BEFORE);
    const rows = steps.slice(first, current.index + AFTER + 1).map((step) =>
      html('tr', { class: step === current ? 'current' : '', 'aria-current': step === current ? 'step' : undefined,
        onclick: () => this.goTo(step.index) },
        [`${step.index + 1}`, `${step.block}`, `${step.warp}`, `${lines[step.line]?.line ?? ''}`,
          lanesText(step.lanes ?? maskLanes(step.mask)), doesText(step), this.elements(step), costText(step)]
          .map((content) => html('td', {}, content))));
    this.root.replaceChildren(
      html('table', {},
        html('thead', {}, html('tr', {},
          ['step', 'block', 'warp', 'line', 'lanes', 'does', 'elements', 'cost'].map((t) => html('th', { scope: 'col' }, t)))),
        html('tbody', {}, rows)));
  }

  elements(step) {
    if (!isAccess(step)) return '';
    const places = step.addresses.map((address) => placeOf(this.run.arrays, address));
    if (places.some((place) => !place || place.isOutside)) return 'outside the arrays';
    const { array } = places[0];
    if (places.some((place) => place.array !== array)) return 'several arrays';
    const indices = places.map((place) => place.index);
    const [low, high] = [Math.min(...indices), Math.max(...indices)];
    return low === high ? elementText(array, low)
      : `${elementText(array, low)} to ${elementText(array, high)}`;
  }
}
