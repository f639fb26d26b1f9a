// Steps in words: for the heading, the lane's table, and readers who listen.
import { blockText, isAccess, isShuffle, isWrite, threadText } from './recording.js';
import { elementText, Numbers, placeOf } from './arrays.js';

const DOES = { load: 'reads', store: 'writes', atomic: 'adds to or swaps', line: 'computes',
  shuffle: 'takes', wait: 'waits', go_on: 'goes on', leave: 'leaves' };

export const doesText = (step) => DOES[step.kind] ?? step.kind;

// The sectors of 32 bytes that a step touches.
function sectorsOf(step) {
  const sectors = new Set();
  for (const at of step.addresses)
    for (let b = Math.floor(at / 32); b <= Math.floor((at + step.bytes - 1) / 32); ++b) sectors.add(b);
  return sectors.size;
}

// What the hardware does for a step: sectors of 32 bytes, or passes over the 32 banks.
export function costText(step) {
  if (!isAccess(step)) return '';
  if (step.space === 'global')
    return `${count(sectorsOf(step), 'sector')} of 32 bytes for ${step.bytes * step.lanes.length} bytes`;
  if (step.space !== 'shared') return '';
  const passes = bankPasses(step);
  return passes > 1 ? `Bank conflict: ${passes} passes` : 'One pass, no bank conflict';
}

// "4 sectors", "1 pass"
export function shortCost(step) {
  if (!isAccess(step)) return '';
  if (step.space === 'global') return count(sectorsOf(step), 'sector');
  const passes = bankPasses(step);
  return step.space === 'shared' ? `${passes} ${passes === 1 ? 'pass' : 'passes'}` : '';
}

// Lanes that want different words of one bank come one after the other.
export function bankPasses(step) {
  const words = new Map();
  for (const at of step.addresses) {
    const word = Math.floor(at / 4);
    if (!words.has(word % 32)) words.set(word % 32, new Set());
    words.get(word % 32).add(word);
  }
  return Math.max(...[...words.values()].map((set) => set.size));
}

export const count = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;

// "lanes 0-15, 20"
export function lanesText(lanes) {
  const runs = [];
  for (const lane of lanes) {
    const last = runs[runs.length - 1];
    if (last && last[1] === lane - 1) last[1] = lane;
    else runs.push([lane, lane]);
  }
  return runs.map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`)).join(', ');
}

// Where the lanes of a shuffle take their values from: "from the lane 16 above".
function sourcesText(step) {
  const others = step.from.map((from, k) => [from, step.lanes[k]]).filter(([from, lane]) => from !== lane);
  const own = step.from.length - others.length;
  const same = (of) => new Set(others.map(of)).size === 1;
  const [from, lane] = others[0] ?? [0, 0];
  let text = 'from other lanes';
  if (others.length === 0) text = 'from themselves';
  else if (same(([a]) => a)) text = `from lane ${from}`;
  else if (same(([a, b]) => a - b)) text = `from the lane ${Math.abs(from - lane)} ${from > lane ? 'above' : 'below'}`;
  else if (same(([a, b]) => a ^ b)) text = `from the lane whose number differs in bit ${Math.log2(from ^ lane)}`;
  return own > 0 && others.length > 0 ? `${text}; ${count(own, 'lane')} ${own === 1 ? 'gets its' : 'get their'} own` : text;
}

// What one lane does in an access or a shuffle: its element or the other lane, value and address.
export function laneFacts(step, lane, arrays, replay) {
  const k = step.lanes.indexOf(lane);
  if (k < 0) return null;
  if (isShuffle(step)) {
    const value = new Numbers(step.elementBytes, step.isFloat).text(step.taken, k * step.bytes);
    return { does: doesText(step), element: `from lane ${step.from[k]}`, value, address: '' };
  }
  const address = step.addresses[k];
  const place = placeOf(arrays, address);
  const facts = { does: doesText(step), element: 'outside every array', value: '', address: addressText(step, address) };
  if (!place) return facts;
  facts.element = elementText(place.array, place.index) + (place.isOutside ? ' (outside)' : '');
  if (place.isOutside) return facts;
  if (isWrite(step)) facts.value = place.array.numbers.text(step.values, k * step.bytes);
  else {
    const memory = replay.memoryOf(place.array, step.block);
    const at = place.index * place.array.numbers.bytes;
    facts.value = memory.written[at] ? place.array.numbers.text(memory.bytes, at) : 'never written';
  }
  return facts;
}

function addressText(step, address) {
  const windows = { shared: 0x100000000000, local: 0x110000000000 };
  const base = windows[step.space];
  return base ? `${step.space} + ${address - base}` : `0x${address.toString(16)}`;
}

// One sentence for a step.
export function sentence(run, step, arrays) {
  const { recording } = run;
  const line = recording.lines[step.line];
  const who =
    `Block ${blockText(recording, step.block)}, warp ${step.warp}, ` +
    `line ${line ? line.line : '?'}`;
  const lanes = step.lanes ?? maskLanes(step.mask);
  const isOne = lanes.length === 1;
  const them = lanes.length === 32 ? 'all 32 lanes' : `${isOne ? 'lane' : 'lanes'} ${lanesText(lanes)}`;
  const does = isOne ? doesText(step) : plural(doesText(step));
  switch (step.kind) {
    case 'wait':
      return `${who}: ${them} ${does} at a barrier.`;
    case 'go_on':
      return `${who}: the barrier opens for ${them}.`;
    case 'leave':
      return `${who}: ${them} ${does} the kernel.`;
    case 'shuffle':
      return `${who}: ${them} ${does} a register's value ${sourcesText(step)}.`;
    case 'line':
      return `${who}: ${them} ${does}.`;
    default: {
      const first = placeOf(arrays, step.addresses[0]);
      const last = placeOf(arrays, step.addresses[step.addresses.length - 1]);
      const what = first ? elementText(first.array, first.index) : 'outside every array';
      const outside = [first, last].some((place) => !place || place.isOutside) ? ' That is outside the array.' : '';
      const to = first && last && last.index !== first.index
        ? ` to ${elementText(last.array, last.index)}` : '';
      return `${who}: ${them} ${does} ${what}${to}.${outside} ${costText(step)}${isAccess(step) ? "." : ""}`;
    }
  }
}

const plural = (does) => does.replace(/^(\w+)s\b/, '$1').replace('swaps', 'swap');
export const maskLanes = (mask) => Array.from({ length: 32 }, (_, i) => i).filter((i) => (mask >>> i) & 1);
export const threadName = (recording, step, lane) =>
  `thread ${threadText(recording, step.warp, lane)} of block ${blockText(recording, step.block)}`;
