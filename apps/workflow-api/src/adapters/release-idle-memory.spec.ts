import { isReleaseDue } from './release-idle-memory';

const mebibyte = 1024 * 1024;
const grown = { utilization: 0.02, heapBytes: 300 * mebibyte, releasedBytes: 60 * mebibyte };

describe('memory is given back', () => {
  it.each([
    ['when the heap has grown much and the process is idle', grown, true],
    [
      'once after the start, however little the heap has grown',
      { ...grown, heapBytes: 0, releasedBytes: undefined },
      true,
    ],
    ['not while the process is busy', { ...grown, utilization: 0.4 }, false],
    ['not while the start keeps the process busy', { ...grown, utilization: 0.4, releasedBytes: undefined }, false],
    ['not when the heap has grown little', { ...grown, heapBytes: 120 * mebibyte }, false],
  ])('%s', (_, use, isDue) => {
    expect(isReleaseDue(use)).toBe(isDue);
  });
});
