import { triggerOf } from './trigger-of';

it.each([
  ['a person', { startedBy: { kind: 'user', name: 'ada' }, triggerType: 'manual' }, { trigger: 'manual', name: 'ada' }],
  [
    'a retry by a person',
    { startedBy: { kind: 'user', name: 'ada' }, triggerType: 'retry' },
    { trigger: 'retry', name: 'ada' },
  ],
  ['a key', { startedBy: { kind: 'api_key', name: 'ci' }, triggerType: 'manual' }, { trigger: 'api_key', name: 'ci' }],
  ['a schedule', { startedBy: { kind: 'schedule' }, triggerType: 'scheduler' }, { trigger: 'schedule' }],
  [
    'a schedule that was caught up',
    { startedBy: { kind: 'schedule' }, triggerType: 'catchup' },
    { trigger: 'catchup' },
  ],
  [
    'a step',
    { startedBy: { kind: 'run', name: 'nightly' }, triggerType: 'subdag' },
    { trigger: 'subdag', name: 'nightly' },
  ],
  ['what an earlier version did not record', { triggerType: 'scheduler' }, { trigger: 'schedule' }],
] as const)('names %s', (_, run, expected) => {
  expect(triggerOf(run)).toEqual(expected);
});
