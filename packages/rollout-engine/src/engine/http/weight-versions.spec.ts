import { unknownVersion, parseVersionLabel, parseVersionSpans } from './weight-versions';

describe('parseVersionLabel', () => {
  it.each([
    [7, 7],
    ['7', 7],
    ['step-12', 12],
    ['v3', 3],
    ['default', unknownVersion],
    ['', unknownVersion],
    [null, unknownVersion],
    [undefined, unknownVersion],
  ])('reads %p as %p', (label, version) => expect(parseVersionLabel(label)).toBe(version));

  it.each([['final'], [-1], [1.5], ['1.5'], ['99999999999'], [{}], [true]])('cannot read %p', (label) =>
    expect(parseVersionLabel(label)).toBeUndefined(),
  );
});

describe('parseVersionSpans', () => {
  it('accepts contiguous spans from 0', () => {
    const spans = [
      { version: '1', start: 0, end: 3 },
      { version: '2', start: 3, end: 4 },
    ];
    expect(parseVersionSpans(spans)).toEqual([
      { version: 1, start: 0, end: 3 },
      { version: 2, start: 3, end: 4 },
    ]);
  });

  it.each([
    ['a hole', [{ version: 1, start: 1, end: 2 }]],
    ['an end before its start', [{ version: 1, start: 0, end: -1 }]],
    [
      'an overlap',
      [
        { version: 1, start: 0, end: 2 },
        { version: 2, start: 1, end: 3 },
      ],
    ],
    ['a label that is none', [{ version: 'final', start: 0, end: 2 }]],
    ['no list', 'spans'],
    ['an empty list', []],
  ])('refuses %s', (_name, spans) => expect(parseVersionSpans(spans)).toBeUndefined());
});
