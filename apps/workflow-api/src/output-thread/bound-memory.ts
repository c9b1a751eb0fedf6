interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

// The types of Node do not declare WebAssembly.
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: { readonly Memory: { prototype: Memory } } };

const pageBytes = 65_536;

/**
 * Limits the WebAssembly memory of this thread, which the resource limits of a thread do not cover. Beyond the limit the
 * program sees a failed allocation.
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
