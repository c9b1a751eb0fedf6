import { readFileSync } from 'node:fs';
import path from 'node:path';
import { interpolate } from '@weir/actions-runner';
import type { FakeAccount } from '@weir/fake-cloud';
import { parse } from 'yaml';
import { atLoopback, type Inputs } from './testing/run-in-process';
import { action, runJob } from './testing/run-job';

const docs = path.join(action, '../../docs');
const pages = [
  path.join(action, 'README.md'),
  path.join(docs, 'auth-action/examples.md'),
  path.join(docs, 'auth-action/artifact-registry.md'),
  path.join(docs, 'auth-action/first-sign-in.md'),
];

interface Example {
  readonly name: string;
  /** The inputs of its auth steps. */
  readonly steps: readonly Readonly<Record<string, unknown>>[];
}

/** Blocks of YAML that sign in: whole steps, or nothing but inputs. Named by page, heading and place. */
function readExamples(page: string): readonly Example[] {
  let heading = '';
  const parts = readFileSync(page, 'utf8').matchAll(/^## (?<title>.+)$|^```yaml\n(?<yaml>[^]*?)^```$/gm);
  return [...parts].flatMap(({ groups }, index) => {
    heading = groups?.title ?? heading;
    const steps = inputsIn(parse(groups?.yaml ?? ''));
    return steps.length === 0 ? [] : [{ name: `${path.basename(page)}, ${heading}, part ${index + 1}`, steps }];
  });
}

function inputsIn(document: unknown): Example['steps'] {
  const { steps = document, token_format: format } = Object(document) as Readonly<Record<string, unknown>>;
  if (format !== undefined) return [document as Example['steps'][number]];
  const list = Array.isArray(steps) ? (steps as readonly Readonly<Record<string, unknown>>[]) : [];
  return list.flatMap(({ uses, with: inputs }) =>
    String(uses).startsWith('org/auth-action@') ? [inputs as Example['steps'][number]] : [],
  );
}

const provider = 'projects/123456789/locations/global/workloadIdentityPools/ci-pool/providers/ci-provider';
const fallback = { workload_identity_provider: provider };

/** Adds the inputs that the page omits, as it says, and values of secrets and variables. */
function readStepInputs(step: Example['steps'][number], key: string): Inputs {
  const context = {
    vars: { PROVIDER: provider },
    secrets: { DEPLOY_KEY: key, DEPLOYER_KEY: key },
    github: { ref_name: 'v1' },
  };
  const given = Object.fromEntries(
    Object.entries(step).map(([name, value]) => [name, interpolate(String(value), context)]),
  );
  const isFragment = !('service_account' in given) && given.token_format !== undefined;
  return {
    ...(given.credentials_json === undefined && fallback),
    ...(isFragment && { service_account: keyAccount }),
    ...given,
  };
}

const keyAccount = 'deployer@example-project.iam.gserviceaccount.com';

/** Finds every account that an example names; each of them may act as each other. */
function accountsIn(texts: readonly string[]): readonly FakeAccount[] {
  const found = texts.flatMap((text) => text.match(/[\w-]+@[\w.-]+\.iam\.gserviceaccount\.com/g) ?? []);
  const emails = [...new Set([keyAccount, ...found])];
  return emails.map((email, index) => ({
    email,
    uniqueId: String(100_000_000_000_000_000_001n + BigInt(index)),
    impersonators: ['federation', ...emails],
  }));
}

describe('the examples of', () => {
  const examples = pages.flatMap(readExamples);
  const accounts = accountsIn(pages.map((page) => readFileSync(page, 'utf8')));

  it('the pages are found', () => {
    expect(examples.length).toBeGreaterThanOrEqual(16);
  });

  it.each(examples.map(({ name, steps }) => [name, steps] as const))('%s work unchanged', async (_, steps) => {
    const names = steps.map(({ workload_identity_provider: name }) => String(name));
    const end = await runJob({
      cloud: {
        accounts,
        // Pages differ in the number of their project.
        provider: names.find((name) => name.startsWith('projects/')) ?? provider,
        delegatedUsers: ['admin@example.com', 'ada@example.com'],
      },
      with: (fake) => {
        const key = JSON.stringify(fake.serviceAccountKey(keyAccount));
        return steps.map((step) => ({ ...readStepInputs(step, key), ...atLoopback(fake) }));
      },
    });

    expect({ errors: end.errors, leaked: end.leaked, leftovers: end.leftovers }).toEqual({
      errors: [],
      leaked: [],
      leftovers: [],
    });
    const { token_format: format } = steps[0] ?? {};
    if (typeof format === 'string') expect(end.outputs).toHaveProperty(format);
    const handsOut = steps.some(({ check }) => check !== true);
    expect(Object.keys(end.outputs).includes('project_id')).toBe(handsOut);
  });
});
