import { refusalReasons } from '../cloud/refusal-reason';
import { seededFaultPlan, startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { byKey, direct, federated, runInProcess, type InProcessRun, type Inputs } from './testing/run-in-process';

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);
const timeoutSeconds = 20;
const otherReasons = ['network_unreachable', 'answer_malformed', 'deadline_passed'];

const access = { token_format: 'access_token' };
const subject = { ...access, access_token_subject: 'user@example.com' };
const id = { token_format: 'id_token', id_token_audience: 'https://app.example' };

/** The flows take turns, so that each one meets every kind of day. */
const flows: readonly (readonly [string, (fake: FakeCloud) => Inputs])[] = [
  ['federation', (fake) => federated(fake)],
  ['an access token', (fake) => federated(fake, access)],
  ['an ID token', (fake) => federated(fake, id)],
  ['a user by federation', (fake) => federated(fake, subject)],
  ['direct federation', (fake) => direct(fake, access)],
  ['a key', (fake) => byKey(fake, access)],
  ['a user by key', (fake) => byKey(fake, subject)],
];

describe.each(seeds)('on the bad day %i', (seed) => {
  it.each(flows)('ends well or with one clear error: %s', async (_, inputsOf) => {
    const fake = await startFakeCloud({ faults: seededFaultPlan(seed) });
    try {
      const inputs = { ...inputsOf(fake), timeout: `${timeoutSeconds}s` };
      const ended = await runInProcess(fake, { inputs });

      expect(findLeaks(fake, ended)).toEqual([]);
      expect(fake.redirectedRequests).toEqual([]);
      if (ended.error === undefined) expectValidCredentials(fake, ended);
      else expectNothingButTheError(ended);
    } finally {
      await fake.stop();
    }
  });
});

/** The file is meant to hold a secret, and so are outputs of tokens; everything else people may read. */
function findLeaks(fake: FakeCloud, { lines, summary, env, error, outputs, state }: InProcessRun): readonly string[] {
  const others = Object.entries(outputs).filter(([name]) => !['auth_token', 'access_token', 'id_token'].includes(name));
  return fake.tokens.leaks([...lines, summary, error?.message, JSON.stringify({ env, others, state })].join('\n'));
}

function expectValidCredentials(fake: FakeCloud, { outputs, files, masked, error }: InProcessRun): void {
  expect(error).toBeUndefined();
  expect(files).toHaveLength(1);
  expect(files[0]?.name).toMatch(/^gha-creds-[0-9a-f]{16}\.json$/);
  expect(masked).toContain(outputs.auth_token);
  const token = outputs.access_token ?? outputs.id_token;
  if (token === undefined) return;
  const issued = fake.tokens.all().find(({ secret }) => secret === token);
  expect(issued?.expiresAtSeconds).toBeGreaterThan(Date.now() / 1000);
  expect(masked).toContain(token);
}

function expectNothingButTheError({ error, outputs, env, state, files, summary }: InProcessRun): void {
  expect({ outputs, env, state, files }).toEqual({ outputs: {}, env: {}, state: {}, files: [] });
  expect(summary).toMatch(/^### Authentication failed\n/);
  expect([...refusalReasons, ...otherReasons]).toContain(error?.reason);
  expect(error?.message).toMatch(/Likely cause: .+\nNext step: ./);
}
