import type { OutputEvent } from '@weir/rollout-core';
import { mergeEvents } from './merge-events';

const text = (words: string): OutputEvent => ({ kind: 'text', text: words });
const thought = (words: string): OutputEvent => ({ kind: 'reasoning', text: words });
const argument = (index: number, words: string): OutputEvent => ({ kind: 'call_arguments', index, text: words });

it('merges only neighbours of one kind and of one call', () => {
  const events = [
    thought('a'),
    thought('b'),
    text('c'),
    text('d'),
    argument(0, '{'),
    argument(0, '}'),
    argument(1, '{}'),
    text('e'),
  ];

  expect(mergeEvents(events)).toEqual([thought('ab'), text('cd'), argument(0, '{}'), argument(1, '{}'), text('e')]);
});
