import type { StepChange } from '../../model/steps/step-change';
import { createMasker } from './masker';
import { withMaskedChanges } from './mask-outcome';

const at = new Date(0);
const changes: readonly StepChange[] = [
  { kind: 'starting', index: 0, stepName: 'a', attempt: 1, retryCount: 0, at },
  {
    kind: 'ended',
    index: 0,
    stepName: 'a',
    attempt: 1,
    at,
    continues: false,
    outcome: {
      status: 'failed',
      error: 'exit status 1: hunter22',
      outputs: {
        variable: { name: 'OUT', value: 'a hunter22' },
        fields: [{ name: 'map', value: { token: ['hunter22'] } }],
        declared: [{ name: 'one', value: 'hunter22' }],
      },
    },
  },
  { kind: 'not_started', index: 1, stepName: 'b', at, status: 'failed', error: 'hunter22 was not found' },
];

async function recorded(secrets: readonly string[]): Promise<readonly StepChange[]> {
  const seen: StepChange[] = [];
  const recorder = { stepsChanged: (each: readonly StepChange[]) => Promise.resolve(void seen.push(...each)) };
  await withMaskedChanges(recorder, createMasker(secrets)).stepsChanged(changes);
  return seen;
}

describe('withMaskedChanges', () => {
  it('passes on errors and outputs without the secrets', async () => {
    const seen = await recorded(['hunter22']);

    expect(JSON.stringify(seen)).not.toContain('hunter22');
    expect(seen[0]).toEqual(changes[0]);
    expect(seen[1]).toMatchObject({
      outcome: { error: 'exit status 1: *****', outputs: { fields: [{ value: { token: ['*****'] } }] } },
    });
    expect(seen[2]).toMatchObject({ error: '***** was not found' });
  });

  it('passes on everything unchanged when nothing is secret', async () => {
    expect(await recorded([])).toEqual(changes);
  });
});
