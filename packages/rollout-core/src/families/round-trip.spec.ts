import fc from 'fast-check';
import type { Message } from '../conversation/message';
import { collectOutput } from '../output/collect-output';
import { parse } from '../output/testing/read-answer';
import { modelFamilies, toolParserNames } from './registry';
import { answerForms, type AnswerForm, type WrittenAnswer, type WrittenCall } from './testing/answer-forms';

function read(pieces: readonly string[], { toolParser, reasoningParser }: AnswerForm): Message {
  return collectOutput(parse(pieces, { toolParser, reasoningParser }));
}

const toWritten = ({ reasoning, content, toolCalls = [] }: Message): WrittenAnswer => ({
  ...(reasoning === undefined ? {} : { reasoning }),
  content,
  calls: toolCalls.map((call) => ({
    name: call.name,
    arguments: JSON.parse(call.arguments) as WrittenCall['arguments'],
  })),
});

const marks = [
  ...new Set(
    modelFamilies.flatMap(({ tools: format, reasoning }) => [
      ...(format?.markers ?? []),
      ...(reasoning?.markers ?? []),
    ]),
  ),
];
const hostile = fc.constantFrom(
  ...marks,
  '</parameter>',
  '</｜DSML｜parameter>',
  ']<]minimax[>[</city>',
  ']<]minimax[>[<days>',
  '<|close|>argument<|sep|>',
  '<parameter name="a">',
  '</invoke>',
  '<function=clock>',
  '"',
  '\\',
  '\n',
  '{',
  '}',
  ' ',
);
const strings = fc
  .array(fc.oneof(hostile, fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

const call = fc.oneof(
  fc
    .record(
      {
        city: strings,
        days: fc.oneof(fc.integer(), fc.constantFrom('2026-02-30', 'soon', '')),
        scale: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
        hourly: fc.boolean(),
        tags: fc.array(fc.string({ unit: 'grapheme', maxLength: 4 }), { maxLength: 3 }),
        near: fc.oneof(
          fc.constant(null),
          fc.record(
            {
              x: fc.integer(),
              y: fc.constantFrom(null, true),
              z: fc.string({ unit: 'grapheme', maxLength: 4 }),
              path: fc.array(fc.record({ at: fc.array(fc.integer(), { maxLength: 2 }) }), { maxLength: 2 }),
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    )
    .map((given): WrittenCall => ({ name: 'weather', arguments: given })),
  fc.constant<WrittenCall>({ name: 'clock', arguments: {} }),
);

/** Prose that no parser takes for something else. */
const prose = fc.constantFrom('Let me see.', 'It is 12 °C; more < less', 'Zwei\nZeilen', 'a "quoted" {word}', '1 | 2');

const answersOf = ({
  maxCalls,
  hasTextBesideCalls,
  ambiguous,
  reasoningParser,
}: AnswerForm): fc.Arbitrary<WrittenAnswer> =>
  fc
    .record(
      {
        reasoning: prose,
        content: prose,
        calls: fc.array(call, { maxLength: maxCalls }),
      },
      { requiredKeys: ['calls'] },
    )
    .map(({ reasoning, content = '', calls }) => ({
      ...(reasoning === undefined || reasoningParser === 'none' ? {} : { reasoning }),
      content: calls.length > 0 && !hasTextBesideCalls ? '' : content,
      calls,
    }))
    .filter(({ calls }) => !calls.some(({ arguments: { city } }) => typeof city === 'string' && ambiguous?.test(city)));

const withoutNull = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNull(member)]));
};

const expressed = (answer: WrittenAnswer, { omitsNull }: AnswerForm): unknown =>
  omitsNull === true ? withoutNull(answer) : answer;

const split = (text: string, positions: readonly number[]): readonly string[] => {
  const cuts = [...new Set([0, ...positions.map((position) => position % (text.length + 1)), text.length])];
  const sorted = cuts.sort((left, right) => left - right);
  return sorted.map((position, at) => text.slice(position, sorted[at + 1] ?? text.length));
};

const fixed: readonly (readonly [string, WrittenAnswer])[] = [
  ['an answer with a thought', { reasoning: 'Hm.', content: 'Hello', calls: [] }],
  ['a call without arguments', { content: '', calls: [{ name: 'clock', arguments: {} }] }],
  [
    'a thought, text and a call',
    { reasoning: 'Hm.', content: 'One moment.', calls: [{ name: 'weather', arguments: { city: 'Köln' } }] },
  ],
  ['a date for an integer', { content: '', calls: [{ name: 'weather', arguments: { days: '2026-11-30' } }] }],
  [
    'null, a boolean, numbers and a list',
    {
      content: '',
      calls: [{ name: 'weather', arguments: { near: null, hourly: false, days: 3, scale: -1.5, tags: ['a', 'b'] } }],
    },
  ],
  [
    'objects and lists in each other, some of them empty',
    {
      content: '',
      calls: [
        { name: 'weather', arguments: { near: { x: 1, path: [{ at: [1, -2.5] }, { at: [] }, {}] }, tags: [''] } },
        { name: 'weather', arguments: { near: {}, tags: [], city: '' } },
      ],
    },
  ],
];

const parallel: WrittenAnswer = {
  content: '',
  calls: [
    { name: 'weather', arguments: { city: 'Oslo' } },
    { name: 'clock', arguments: {} },
    { name: 'weather', arguments: { city: 'Rome' } },
  ],
};

describe.each(answerForms.map((form) => [form.family, form.variant ?? 'all', form] as const))(
  '%s, %s',
  (_family, _variant, form) => {
    const accepts = ({ reasoning, content, calls }: WrittenAnswer) =>
      (reasoning === undefined || form.reasoningParser !== 'none') &&
      (form.hasTextBesideCalls || content === '' || calls.length === 0) &&
      calls.length <= form.maxCalls;

    it.each([...fixed, ['calls in parallel', parallel] as const].filter(([, answer]) => accepts(answer)))(
      'reads %s as it was written',
      (_case, answer) => {
        expect(toWritten(read([form.write(answer)], form))).toEqual(expressed(answer, form));
      },
    );

    it('reads every answer as it was written, however it is split', () => {
      fc.assert(
        fc.property(answersOf(form), fc.array(fc.nat(), { maxLength: 12 }), (answer, positions) => {
          const text = form.write(answer);
          expect(toWritten(read(split(text, positions), form))).toEqual(expressed(answer, form));
        }),
        { numRuns: 300 },
      );
    });

    it('takes an unfinished thought as reasoning, not as text', () => {
      if (form.reasoningParser === 'none') return;
      const text = form.write({ reasoning: 'Let me think about it.', content: 'Hello', calls: [] });
      const cut = text.slice(0, text.indexOf(' about it.'));
      expect(toWritten(read([cut], form))).toEqual({ reasoning: 'Let me think', content: '', calls: [] });
    });

    it('reads no call from an answer that was cut off in its arguments', () => {
      const text = form.write({ content: '', calls: [{ name: 'weather', arguments: { city: 'Köln am Rhein' } }] });
      const cut = text.slice(0, text.indexOf(' am Rhein'));
      expect(read([cut], form).toolCalls).toBeUndefined();
    });
  },
);

it('covers every tool parser', () => {
  expect(new Set(['none', ...answerForms.map(({ toolParser }) => toolParser)])).toEqual(new Set(toolParserNames));
});
