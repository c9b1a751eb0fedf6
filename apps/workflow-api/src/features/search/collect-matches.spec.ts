import { collectMatches } from './collect-matches';

const items = Array.from({ length: 100 }, (_, index) => index);

function readCounted(onRead: (count: number) => void = () => undefined) {
  const read: number[] = [];
  const readText = (item: number): Promise<string> => {
    read.push(item);
    onRead(read.length);
    return Promise.resolve(`text ${item}`);
  };
  return { read, readText };
}

describe('collectMatches', () => {
  const options = { q: 'text', limit: 2, matchLimit: 1, signal: undefined };

  it('collects one more than the limit, in the order of the items, and reads few more', async () => {
    const { read, readText } = readCounted();
    const found = await collectMatches(items, readText, options);

    expect(found.map(({ item }) => item)).toEqual([0, 1, 2]);
    expect(read).toHaveLength(16);
  });

  it('reads nothing more once the request is given up', async () => {
    const request = new AbortController();
    const { read, readText } = readCounted((count) => {
      if (count === 20) request.abort();
    });

    await expect(collectMatches(items, readText, { ...options, q: 'none', signal: request.signal })).rejects.toThrow();
    expect(read).toHaveLength(32);
  });
});
