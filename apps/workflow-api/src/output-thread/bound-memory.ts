interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

// The language settings of this repository are those of Node, whose types leave WebAssembly to browsers.
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: { readonly Memory: { prototype: Memory } } };

const pageBytes = 65_536;

/**
 * Lets the WebAssembly of this thread grow to a bound and no further: the limits of a thread do not know of it. The
 * program inside is told that there is no more memory.
 */
export function boundWebAssemblyMemory(maxBytes: number): void {
  const memory = WebAssembly.Memory.prototype;
  const grow: unknown = Reflect.get(memory, 'grow');
  if (typeof grow !== 'function') throw new Error('This Node has no WebAssembly memory.');
  memory.grow = function (this: Memory, pages: number): number {
    if (this.buffer.byteLength + pages * pageBytes > maxBytes) throw new RangeError('The memory is at its bound.');
    return Reflect.apply(grow, this, [pages]) as number;
  };
}
