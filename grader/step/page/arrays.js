// The arrays of a launch, and what lies in them: the device's allocations, and each block's shared
// variables.
const READ = {
  '4f': (view, at) => view.getFloat32(at, true),
  '8f': (view, at) => view.getFloat64(at, true),
  1: (view, at) => view.getInt8(at),
  2: (view, at) => view.getInt16(at, true),
  4: (view, at) => view.getInt32(at, true),
  8: (view, at) => Number(view.getBigInt64(at, true)),
};

export function showNumber(value, isFloat) {
  if (!isFloat || !Number.isFinite(value)) return `${value}`;
  return Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3)
    ? value.toExponential(3)
    : `${Number(value.toPrecision(5))}`;
}

export class Numbers {
  constructor(bytes, isFloat) {
    this.bytes = bytes;
    this.isFloat = isFloat;
  }
  at(data, offset) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const read = READ[`${this.bytes}${this.isFloat ? 'f' : ''}`] ?? READ[1];
    return read(view, offset);
  }
  text(data, offset) {
    return showNumber(this.at(data, offset), this.isFloat);
  }
  name() {
    if (this.isFloat) return { 2: 'half', 4: 'float', 8: 'double' }[this.bytes];
    return { 1: 'char', 2: 'short', 4: 'int', 8: 'long long' }[this.bytes];
  }
}

// `known`: the array's name, type and columns, as stepped_arrays.h has found them.
function arrayOf(allocation, known, space) {
  const numbers = new Numbers(known.bytes, known.is_float);
  return {
    name: known.name,
    base: allocation.base,
    bytes: allocation.size_bytes,
    space,
    numbers,
    count: Math.ceil(allocation.size_bytes / numbers.bytes),
    columns: known.columns,
  };
}

// Those that the recording's steps touch: all that are known.
export function arraysOf(recording, known) {
  const all = (allocations, space) =>
    allocations.filter((a) => a.name in known).map((a) => arrayOf(a, known[a.name], space));
  return [...all(recording.shared_variables, 'shared'), ...all(recording.allocations, 'global')];
}

// "tile[3]", or "tile[1][2]" where the columns are known.
export function elementText(array, index) {
  if (!array.columns || index < 0 || index >= array.count) return `${array.name}[${index}]`;
  return `${array.name}[${Math.floor(index / array.columns)}][${index % array.columns}]`;
}

// How far outside an array an access still counts as meant for it.
const NEAR = 4096;
const distance = (array, address) => Math.max(array.base - address, address - (array.base + array.bytes - 1), 0);

// The array and its element; isOutside: the array is only the nearest one.
export function placeOf(arrays, address) {
  let nearest = null;
  for (const array of arrays) if (!nearest || distance(array, address) < distance(nearest, address)) nearest = array;
  if (!nearest || distance(nearest, address) > NEAR) return null;
  return {
    array: nearest,
    index: Math.floor((address - nearest.base) / nearest.numbers.bytes),
    isOutside: distance(nearest, address) > 0,
  };
}
