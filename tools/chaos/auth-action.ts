// Runs the bundled auth action, main and post, on seeded bad days of a fake cloud, and checks how each of them ends:
// with valid credentials or with one clear error, with no file left behind, no secret shown and in time. The flows alternate.
// `npm run chaos auth-action -- --plans 500 --seed 1 --at-once 4` after a build; exits 1 where a day ended otherwise.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findLeaks, runSteps } from '@weir/actions-runner';
import { seededFaultPlan, startFakeCloud } from '@weir/fake-cloud';
import { temporaryFolder } from '@weir/test-kit';
import type { RunnerResult } from '@weir/actions-runner';
import type { FakeCloud } from '@weir/fake-cloud';

const action = path.resolve(__dirname, '../../packages/auth-action');
const timeoutSeconds = 8;
// A cold start on a busy machine.
const startMs = 4000;
// Requests that wait for ever cost their day the whole deadline.
const daysBetweenHolds = 20;

type Inputs = Readonly<Record<string, string>>;

const access = { token_format: 'access_token' };
const subject = { ...access, access_token_subject: 'user@example.com' };
const id = { token_format: 'id_token', id_token_audience: 'https://app.example' };

const federated = (fake: FakeCloud): Inputs => ({ ...direct(fake), service_account: fake.account.email });
const direct = (fake: FakeCloud): Inputs => ({ workload_identity_provider: fake.provider });
const byKey = (fake: FakeCloud): Inputs => ({ credentials_json: JSON.stringify(fake.serviceAccountKey()) });

const flows: readonly (readonly [name: string, inputs: (fake: FakeCloud) => Inputs])[] = [
  ['federation', federated],
  ['access token', (fake) => ({ ...federated(fake), ...access })],
  ['ID token', (fake) => ({ ...federated(fake), ...id })],
  ['user', (fake) => ({ ...federated(fake), ...subject })],
  ['direct federation', (fake) => ({ ...direct(fake), ...access })],
  ['key', (fake) => ({ ...byKey(fake), ...access })],
  ['user by key', (fake) => ({ ...byKey(fake), ...subject })],
];

interface Day {
  readonly seed: number;
  readonly flow: string;
  readonly outcome: RunnerResult['outcome'];
  readonly tookMs: number;
  /** The deviations from the expected behaviour. */
  readonly faults: readonly string[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      plans: { type: 'string', default: '500' },
      seed: { type: 'string', default: '1' },
      'at-once': { type: 'string', default: '4' },
    },
  });
  const first = Number(values.seed);
  const seeds = Array.from({ length: Number(values.plans) }, (_, index) => first + index);
  const days: Day[] = [];
  const work = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const day = await live(seed);
      days.push(day);
      for (const fault of day.faults) console.error(`seed ${day.seed}, ${day.flow}: ${fault}`);
      if (days.length % 50 === 0) console.log(`${days.length} plans`);
    }
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
  report(days);
}

async function live(seed: number): Promise<Day> {
  const [flow, inputsOf] = flows[seed % flows.length] ?? ['federation', federated];
  const faults = seededFaultPlan(seed, { holds: seed % daysBetweenHolds === 0 });
  const fake = await startFakeCloud({ faults });
  const folder = temporaryFolder('weir-faults-');
  const workspace = folder.file('workspace');
  mkdirSync(workspace);
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = fake.env;
  const inputs = inputsOf(fake);
  try {
    const result = await runSteps({
      workspace,
      node: process.execPath,
      idToken: { url, token },
      secrets: [token, inputs.credentials_json ?? ''].filter((secret) => secret !== ''),
      debug: true,
      steps: [{ action, with: { ...inputs, ...endpoints(fake), timeout: `${timeoutSeconds}s` } }],
    });
    const { outcome, steps } = result;
    return { seed, flow, outcome, tookMs: steps[0]?.durationMs ?? 0, faults: findFaults(result, fake) };
  } finally {
    await fake.stop();
    await folder.remove();
  }
}

function endpoints({ bases }: FakeCloud): Inputs {
  return { sts_endpoint: bases.sts, iam_credentials_endpoint: bases.iamcredentials, oauth2_endpoint: bases.oauth2 };
}

function findFaults(result: RunnerResult, fake: FakeCloud): readonly string[] {
  const secrets = Object.fromEntries(fake.tokens.all().map(({ name, secret }) => [name, secret]));
  const leaked = findLeaks(result, secrets, { outputs: ['auth_token', 'access_token', 'id_token'] });
  const tookMs = result.steps[0]?.durationMs ?? Infinity;
  return [
    ...leaked.map(({ secret, where, form }) => `${secret} appears in the ${where}, ${form}`),
    ...result.leftovers.map(({ path: file }) => `${path.basename(file)} is left`),
    ...(fake.redirectedRequests.length > 0 ? ['a request followed a redirect'] : []),
    ...(tookMs > timeoutSeconds * 1000 + startMs ? [`it took ${tookMs} ms`] : []),
    ...result.posts.filter(({ outcome }) => outcome !== 'success').map(() => 'post failed'),
    ...(result.outcome === 'success' ? faultsOfCredentials(result, fake) : faultsOfFailure(result)),
  ];
}

function faultsOfCredentials({ steps, env }: RunnerResult, fake: FakeCloud): readonly string[] {
  const outputs = steps[0]?.outputs ?? {};
  const token = outputs.access_token ?? outputs.id_token;
  const issued = fake.tokens.all().find(({ secret }) => secret === token);
  const isValid = token === undefined || (issued !== undefined && issued.expiresAtSeconds > Date.now() / 1000);
  return [
    ...(isValid ? [] : ['the token is not valid']),
    ...(env.GOOGLE_APPLICATION_CREDENTIALS === undefined ? ['there is no credentials file'] : []),
  ];
}

function faultsOfFailure({ steps, env }: RunnerResult): readonly string[] {
  const [main] = steps;
  const errors = (main?.annotations ?? []).filter(({ level }) => level === 'error');
  const isClear = /Likely cause: .+\nNext step: ./.test(errors[0]?.message ?? '');
  return [
    ...(errors.length === 1 ? [] : [`there are ${errors.length} errors`]),
    ...(isClear ? [] : ['the error says no cause or no next step']),
    ...(Object.keys(main?.outputs ?? {}).length > 0 ? ['there are outputs'] : []),
    ...(Object.keys(env).length > 0 ? ['there are variables'] : []),
  ];
}

function report(days: readonly Day[]): void {
  for (const [flow] of flows) {
    const own = days.filter((day) => day.flow === flow);
    const succeeded = own.filter(({ outcome }) => outcome === 'success').length;
    const longest = Math.max(0, ...own.map(({ tookMs }) => tookMs));
    console.log(`${flow}: ${own.length} plans, ${succeeded} signed in, longest ${Math.round(longest)} ms`);
  }
  const bad = days.filter(({ faults }) => faults.length > 0).length;
  console.log(`${days.length} plans, ${bad} of which ended as none may.`);
  if (bad > 0) process.exitCode = 1;
}

void main();
