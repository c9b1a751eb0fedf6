import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { reduceColors } from './reduce-colors';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const bitsPerPixel = 8;
const usesPalette = 3;

/** A picture in PNG with a palette of 256 colours, which is a third of its size. */
export function shrinkPicture(picture: Uint8Array): Uint8Array {
  const { width, height, data } = PNG.sync.read(Buffer.from(picture));
  const { palette, indexes } = reduceColors(new Uint32Array(data.buffer, data.byteOffset, width * height));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitsPerPixel, usesPalette], 8);
  // Each row begins with the number of its filter, which is none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1) {
    rows.set(indexes.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}
