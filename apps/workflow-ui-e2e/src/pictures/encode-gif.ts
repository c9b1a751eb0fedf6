import { notPainted, reduceColors } from '@weir/test-kit/browser';
import { GIFEncoder } from 'gifenc';
import type { Frame } from './screencast';

const keepFrameBefore = 1;

export interface GifOptions {
  /** A frame is not shown for longer, however long nothing changed. */
  readonly maxDelayMs: number;
  /** Of the last frame. */
  readonly endMs: number;
}

/** An animated GIF that is played again and again. Of each frame it holds only the pixels that have changed. */
export function encodeGif(frames: readonly Frame[], { maxDelayMs, endMs }: GifOptions): Uint8Array {
  const encoder = GIFEncoder();
  let before: Uint32Array | undefined;
  for (const [index, { rgba, width, height, at }] of frames.entries()) {
    const next = frames[index + 1];
    const delay = next === undefined ? endMs : Math.min(next.at - at, maxDelayMs);
    const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
    const shown = before;
    const { palette, indexes } = reduceColors(pixels, (pixel) => shown?.[pixel] !== pixels[pixel]);
    encoder.writeFrame(indexes, width, height, {
      palette,
      delay,
      dispose: keepFrameBefore,
      ...(shown === undefined ? {} : { transparent: true, transparentIndex: notPainted }),
    });
    before = pixels;
  }
  encoder.finish();
  return encoder.bytes();
}
