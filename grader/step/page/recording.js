// A recording (grader/vgpu/docs/recording.md) with a step an object, as the page uses it.

const KINDS = { l: 'line', r: 'load', w: 'store', a: 'atomic', s: 'shuffle', b: 'wait', g: 'go_on', x: 'leave' };
const SPACES = { g: 'global', s: 'shared', l: 'local', c: 'constant', p: 'parameter' };

export const WARP = 32;

function bytesOf(hex) {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = parseInt(hex.substr(2 * i, 2), 16);
  return bytes;
}

export function lanesIn(mask) {
  const lanes = [];
  for (let lane = 0; lane < WARP; ++lane) if ((mask >>> lane) & 1) lanes.push(lane);
  return lanes;
}

// "A": all the same; "A+D": a first and a distance; "A,B,C": one each.
function addressesOf(form, count) {
  if (form.includes(',')) return form.split(',').map(Number);
  const [first, stride] = form.split('+').map(Number);
  return Array.from({ length: count }, (_, i) => first + i * (stride ?? 0));
}

const numbersIn = (column) => column.split(' ').map(Number);

function stepsOf(columns) {
  const values = bytesOf(columns.values);
  const [blocks, warps, masks, lines, bytes, elements] =
    ['block', 'warp', 'lanes', 'line', 'bytes', 'element'].map((name) => numbersIn(columns[name]));
  const addresses = columns.address.split(' ');
  let access = 0;
  let column = 0; // of what accesses and shuffles have
  let value = 0;
  return Array.from(columns.kind, (letter, index) => {
    const step = {
      index,
      kind: KINDS[letter],
      block: blocks[index],
      warp: warps[index],
      mask: masks[index] >>> 0,
      line: lines[index],
    };
    if (!'rwas'.includes(letter)) return step;
    step.lanes = lanesIn(step.mask);
    step.bytes = bytes[column];
    step.elementBytes = Math.abs(elements[column]);
    step.isFloat = elements[column] < 0;
    const places = addressesOf(addresses[column++], step.lanes.length);
    if (letter === 's') {
      step.from = places; // lanes
      step.taken = values.subarray(value, value + step.bytes * step.lanes.length);
      value += step.taken.length;
      return step;
    }
    step.space = SPACES[columns.space[access++]];
    step.addresses = places;
    if (letter !== 'r') {
      step.values = values.subarray(value, value + step.bytes * step.lanes.length);
      value += step.bytes * step.lanes.length;
    }
    return step;
  });
}

function memoryOf(pieces) {
  return pieces.map((piece) => {
    const bytes = bytesOf(piece.bytes);
    const written = new Uint8Array(bytes.length);
    for (let k = 0; k + 1 < piece.written.length; k += 2)
      written.fill(1, piece.written[k], piece.written[k + 1]);
    return { begin: piece.begin, bytes, written };
  });
}

export function decode(record) {
  return { ...record, steps: stepsOf(record.steps), memory: memoryOf(record.memory) };
}

export const isAccess = (step) => step.addresses !== undefined;
export const isShuffle = (step) => step.from !== undefined;
export const isWrite = (step) => step.values !== undefined;

// The number of a thread in its block, as CUDA writes it.
export function threadText(recording, warp, lane) {
  const [x, y, z] = recording.block;
  const i = warp * WARP + lane;
  if (y === 1 && z === 1) return `${i}`;
  const place = [i % x, Math.floor(i / x) % y];
  if (z > 1) place.push(Math.floor(i / x / y));
  return `(${place.join(', ')})`;
}

export function blockText(recording, block) {
  const [x, y, z] = recording.grid;
  if (y === 1 && z === 1) return `${block}`;
  const place = [block % x, Math.floor(block / x) % y];
  if (z > 1) place.push(Math.floor(block / x / y));
  return `(${place.join(', ')})`;
}
