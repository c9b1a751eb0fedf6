import { PNG } from 'pngjs';
import { shrinkPicture } from './shrink-picture';

function draw(width: number, height: number, colorAt: (pixel: number) => readonly number[]): Uint8Array {
  const png = new PNG({ width, height });
  for (let pixel = 0; pixel < width * height; pixel += 1) png.data.set([...colorAt(pixel), 255], pixel * 4);
  return PNG.sync.write(png);
}

const rgba = (picture: Uint8Array): Uint8Array => new Uint8Array(PNG.sync.read(Buffer.from(picture)).data);

it('keeps a picture of few colours unchanged', () => {
  const picture = draw(30, 20, (pixel) => [pixel % 150, 7, 250]);

  expect(rgba(shrinkPicture(picture))).toEqual(rgba(picture));
});

it('reduces many colours to 256, with the most frequent ones unchanged', () => {
  const picture = draw(64, 64, (pixel) =>
    pixel % 2 === 0 ? [12, 34, 56] : [pixel % 251, (pixel * 7) % 256, pixel >> 4],
  );
  const shrunk = rgba(shrinkPicture(picture));
  const colors = new Set<string>();
  for (let at = 0; at < shrunk.length; at += 4) colors.add(shrunk.subarray(at, at + 3).join());

  expect(colors.size).toBeLessThanOrEqual(256);
  expect([...shrunk.subarray(0, 3)]).toEqual([12, 34, 56]);
});
