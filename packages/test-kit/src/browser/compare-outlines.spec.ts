import { PNG } from 'pngjs';
import { compareOutlines } from './compare-outlines';

/** White, with a black box from the left at each of the widths. */
function draw(width: number, height: number, box: number): Uint8Array {
  const png = new PNG({ width, height });
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    png.data.fill(pixel % width < box ? 0 : 255, pixel * 4, pixel * 4 + 3);
    png.data[pixel * 4 + 3] = 255;
  }
  return PNG.sync.write(png);
}

describe('two pictures', () => {
  it('are alike when they show the same', () => {
    expect(compareOutlines(draw(160, 160, 80), draw(160, 160, 80))).toBe(0);
  });

  it('are alike when an edge has moved by a pixel', () => {
    expect(compareOutlines(draw(160, 160, 80), draw(160, 160, 81))).toBe(0);
  });

  it('differ by the share of what has changed', () => {
    expect(compareOutlines(draw(160, 160, 80), draw(160, 160, 112))).toBeCloseTo(0.2);
  });

  it('differ altogether when their sizes do', () => {
    expect(compareOutlines(draw(160, 160, 80), draw(160, 176, 80))).toBe(1);
  });
});
