import { PNG } from 'pngjs';

/** The size in pixels is larger than a letter, so that another font or time of day changes a cell only a little. */
const cell = 16;
/** The mean brightness of a cell, from 0 to 255, counts as different from this distance on. */
const visibleDifference = 32;

/** The share of cells, from 0 to 1, that look different; 1 for pictures of different sizes. */
export function compareOutlines(one: Uint8Array, other: Uint8Array): number {
  const [first, second] = [PNG.sync.read(Buffer.from(one)), PNG.sync.read(Buffer.from(other))];
  if (first.width !== second.width || first.height !== second.height) return 1;
  const [cells, others] = [meanBrightness(first), meanBrightness(second)];
  const different = cells.filter((mean, index) => Math.abs(mean - (others[index] ?? 0)) > visibleDifference);
  return different.length / cells.length;
}

function meanBrightness({ width, height, data }: PNG): readonly number[] {
  const columns = Math.ceil(width / cell);
  const sums = new Float64Array(columns * Math.ceil(height / cell));
  const counts = new Uint32Array(sums.length);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const index = Math.floor(pixel / width / cell) * columns + Math.floor((pixel % width) / cell);
    const at = pixel * 4;
    sums[index] = (sums[index] ?? 0) + ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return [...sums].map((sum, index) => sum / (counts[index] ?? 1));
}
