import { applyPalette, quantize } from 'gifenc';

/**
 * The number of colours that are kept unchanged, so that plain areas stay plain; the others share the rest of the
 * palette.
 */
const exactColors = 200;
const sharedColors = 55;
/** The entry of the palette for pixels that are not painted. */
export const notPainted = 255;

export interface ReducedColors {
  /** 256 entries of red, green and blue, from 0 to 255. */
  readonly palette: number[][];
  /** One entry of the palette for each pixel. */
  readonly indexes: Uint8Array;
}

/** Reduces pixels of 32 bits (red in the lowest 8) to a palette. */
export function reduceColors(pixels: Uint32Array, isPainted: (pixel: number) => boolean = () => true): ReducedColors {
  const counts = new Map<number, number>();
  for (const [pixel, color] of pixels.entries()) {
    if (isPainted(pixel)) counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([color]) => color);
  const entries = new Map(byCount.slice(0, exactColors).map((color, index) => [color, index]));
  const others = Uint32Array.from(byCount.slice(exactColors));
  const shared = others.length === 0 ? [] : quantize(bytesOf(others), sharedColors);
  const nearest = others.length === 0 ? [] : applyPalette(bytesOf(others), shared);
  for (const [index, color] of others.entries()) entries.set(color, exactColors + (nearest[index] ?? 0));

  const palette = Array.from({ length: notPainted + 1 }, (_none, index) => {
    return shared[index - exactColors]?.slice(0, 3) ?? [...bytesOf(Uint32Array.of(byCount[index] ?? 0)).subarray(0, 3)];
  });
  const indexes = new Uint8Array(pixels.length).fill(notPainted);
  for (const [pixel, color] of pixels.entries()) {
    if (isPainted(pixel)) indexes[pixel] = entries.get(color) ?? notPainted;
  }
  return { palette, indexes };
}

function bytesOf(colors: Uint32Array): Uint8ClampedArray {
  return new Uint8ClampedArray(colors.buffer, colors.byteOffset, colors.byteLength);
}
