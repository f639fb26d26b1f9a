// Where everything is after some step: each warp's lanes, and each array's bytes. Each step that is
// applied leaves behind how to undo it, so that one step back costs as little as one forwards.
import { isWrite, WARP } from './recording.js';

const ALL = 0xffffffff;

export class Replay {
  constructor(recording, arrays) {
    this.recording = recording;
    this.arrays = arrays;
    this.index = -1;
    this.undo = [];
    this.blocks = new Map();
    this.global = new Map();
    for (const array of arrays) if (array.space === 'global') this.global.set(array, this.before(array));
  }

  // The state after `steps[index]`; -1: before all.
  goTo(index) {
    while (this.index < index) this.undo.push(this.apply(this.recording.steps[++this.index]));
    while (this.index > index) {
      this.undo.pop()();
      --this.index;
    }
  }

  before(array) {
    const memory = { bytes: new Uint8Array(array.bytes), written: new Uint8Array(array.bytes) };
    for (const piece of this.recording.memory) {
      const at = piece.begin - array.base;
      if (at < 0 || at >= array.bytes) continue;
      memory.bytes.set(piece.bytes.subarray(0, array.bytes - at), at);
      memory.written.set(piece.written.subarray(0, array.bytes - at), at);
    }
    return memory;
  }

  block(number) {
    if (!this.blocks.has(number)) {
      const [x, y, z] = this.recording.block;
      const threads = x * y * z;
      const warps = Array.from({ length: Math.ceil(threads / WARP) }, (_, w) => {
        const rest = threads - w * WARP;
        return { live: rest >= WARP ? ALL : (2 ** rest - 1) >>> 0, waiting: 0, line: -1, at: -1 };
      });
      const shared = new Map();
      for (const array of this.arrays)
        if (array.space === 'shared')
          shared.set(array, { bytes: new Uint8Array(array.bytes), written: new Uint8Array(array.bytes) });
      this.blocks.set(number, { warps, shared });
    }
    return this.blocks.get(number);
  }

  memoryOf(array, block) {
    return array.space === 'shared' ? this.block(block).shared.get(array) : this.global.get(array);
  }

  // Applies a step; returns what undoes it.
  apply(step) {
    const warp = this.block(step.block).warps[step.warp];
    const before = { ...warp };
    warp.at = step.index;
    warp.line = step.line;
    if (step.kind === 'wait') warp.waiting = (warp.waiting | step.mask) >>> 0;
    if (step.kind === 'go_on') warp.waiting = (warp.waiting & ~step.mask) >>> 0;
    if (step.kind === 'leave') warp.live = (warp.live & ~step.mask) >>> 0;
    const writes = isWrite(step) ? step.addresses.map((address, k) => this.write(step, address, k)) : [];
    return () => {
      Object.assign(warp, before);
      while (writes.length > 0) writes.pop()();
    };
  }

  write(step, address, k) {
    const array = this.arrays.find((a) => address >= a.base && address < a.base + a.bytes);
    if (!array) return () => {};
    const memory = this.memoryOf(array, step.block);
    const at = address - array.base;
    const end = Math.min(at + step.bytes, array.bytes);
    const [bytes, written] = [memory.bytes.slice(at, end), memory.written.slice(at, end)];
    memory.bytes.set(step.values.subarray(k * step.bytes, k * step.bytes + end - at), at);
    memory.written.fill(1, at, end);
    return () => {
      memory.bytes.set(bytes, at);
      memory.written.set(written, at);
    };
  }
}
