import { estimateStart, type StartFacts } from './estimate-start';

const minute = 60_000;
const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 2) + minutes * minute);
const facts = (values: Partial<StartFacts>): StartFacts => ({
  at: at(0),
  availableAt: at(0),
  slots: 1,
  holders: [],
  before: [],
  durations: new Map([
    ['short', [1, 2, 3].map((minutes) => minutes * minute)],
    ['long', [10 * minute, 30 * minute]],
  ]),
  ...values,
});

describe('the estimated start', () => {
  it.each([
    ['is now when a slot is free', {}, at(0)],
    ['is not before the run may be claimed', { availableAt: at(7) }, at(7)],
    ['follows the run that has the slot', { holders: [{ dagName: 'short', startedAt: at(-1) }] }, at(1)],
    [
      'follows the next longer run once the run took longer than most',
      { holders: [{ dagName: 'short', startedAt: at(-2.5) }] },
      at(0.5),
    ],
    ['is now when the run took longer than any before', { holders: [{ dagName: 'short', startedAt: at(-9) }] }, at(0)],
    [
      'adds the runs that are claimed before',
      { holders: [{ dagName: 'short', startedAt: at(0) }], before: [{ dagName: 'long' }, { dagName: 'short' }] },
      at(34),
    ],
    [
      'gives each run the slot that is free first',
      {
        slots: 2,
        holders: [
          { dagName: 'long', startedAt: at(0) },
          { dagName: 'short', startedAt: at(0) },
        ],
        before: [{ dagName: 'short' }, { dagName: 'short' }],
      },
      at(6),
    ],
    [
      'waits for as many ends as a lowered limit needs',
      {
        holders: [
          { dagName: 'long', startedAt: at(0) },
          { dagName: 'short', startedAt: at(0) },
        ],
      },
      at(30),
    ],
    ['is not known when a DAG that has a slot never ended', { holders: [{ dagName: 'new' }] }, undefined],
    ['is not known when a DAG before it never ended', { before: [{ dagName: 'new' }] }, undefined],
    ['is not known in a queue without slots', { slots: 0 }, undefined],
  ])('%s', (_, values, expected) => {
    expect(estimateStart(facts(values))).toEqual(expected);
  });
});
