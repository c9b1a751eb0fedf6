import { Readable } from 'node:stream';
import { readBounded } from './read-bounded';

const chunks = [Uint8Array.of(1, 2), Uint8Array.of(3)];

describe('readBounded', () => {
  it('concatenates the chunks up to the limit', async () => {
    expect(await readBounded(chunks, 3)).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('reads an empty stream', async () => {
    expect(await readBounded([], 0)).toEqual(new Uint8Array());
  });

  it('destroys a stream that exceeds the limit', async () => {
    const stream = Readable.from(chunks);

    expect(await readBounded(stream as AsyncIterable<Uint8Array>, 2)).toBeUndefined();
    expect(stream.destroyed).toBe(true);
  });
});
