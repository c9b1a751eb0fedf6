import fc from 'fast-check';

import { createStopMatcher } from './stop-matcher';

function run(pieces: readonly string[], stops: readonly string[]) {
  const matcher = createStopMatcher(stops);
  let text = '';
  let stop: string | undefined;
  for (const piece of pieces) {
    const match = matcher.push(piece);
    text += match.text;
    stop ??= match.stop;
  }
  return { text: text + matcher.end(), stop };
}

/** The expected result, computed from the whole text. */
function expected(text: string, stops: readonly string[]) {
  for (let end = 1; end <= text.length; end++) {
    const met = stops.filter((stop) => stop !== '' && text.slice(0, end).endsWith(stop));
    const [stop] = met.sort((left, right) => right.length - left.length);
    if (stop !== undefined) return { text: text.slice(0, end - stop.length), stop };
  }
  return { text, stop: undefined };
}

describe('createStopMatcher', () => {
  it('emits text at once that cannot begin a stop string', () => {
    expect(createStopMatcher(['END']).push('so far')).toEqual({ text: 'so far' });
  });

  it('buffers the possible beginning of one, and emits it if the string does not follow', () => {
    const matcher = createStopMatcher(['END']);
    expect(matcher.push('so E')).toEqual({ text: 'so ' });
    expect(matcher.push('N')).toEqual({ text: '' });
    expect(matcher.push('T')).toEqual({ text: 'ENT' });
  });

  it('cuts before the stop string and reports which one matched', () => {
    const matcher = createStopMatcher(['\n\n', 'END']);
    expect(matcher.push('a\nEN')).toEqual({ text: 'a\n' });
    expect(matcher.push('D and more')).toEqual({ text: '', stop: 'END' });
    expect(matcher.push('dropped')).toEqual({ text: '' });
    expect(matcher.end()).toBe('');
  });

  it('emits the buffered text at the end', () => {
    const matcher = createStopMatcher(['END']);
    matcher.push('so EN');
    expect(matcher.end()).toBe('EN');
  });

  it('ends at the same position for any split of the text', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 8 }), fc.array(letters, { maxLength: 4 }), (pieces, given) => {
        const stops = given.map((stop) => stop.slice(0, 6));
        expect(run(pieces, stops)).toEqual(expected(pieces.join(''), stops));
      }),
      { numRuns: 500 },
    );
  });
});
