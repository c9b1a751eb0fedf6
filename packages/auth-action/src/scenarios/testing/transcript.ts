import { readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeClaimsUnverified } from '@weir/oidc-claims';
import type { InspectStep } from '@weir/actions-runner';
import type { FakeRequest } from '@weir/fake-cloud';
import { runJob, type Job, type JobEnd } from './run-job';

/**
 * The requests, outputs, variables, files, state, log and summary of a job with one auth step, as a text for review.
 * Values that differ between runs are replaced by names.
 */
export async function formatTranscript(job: Job): Promise<string> {
  let content = '';
  const readFile: InspectStep = {
    if: 'always()',
    inspect: ({ outputs }) => {
      const file = outputs.auth0?.credentials_file_path;
      if (file !== undefined) content = inLines(JSON.parse(readFileSync(file, 'utf8')));
    },
  };
  const end = await runJob({ ...job, steps: [readFile] });
  const [main] = end.steps;
  const parts: readonly (readonly [string, string])[] = [
    ['requests', end.requests.map(formatRequest).join('\n')],
    ['claims that the action signed', signedClaims(end)],
    ['outputs', pairs(main?.outputs ?? {})],
    ['variables', pairs(main?.env ?? {})],
    ['credentials file', content],
    ['state', Object.keys(main?.state ?? {}).join('\n')],
    ['log', withoutStacks(end.log)],
    ['summary', main?.summary.trimEnd() ?? ''],
    ['left over', end.leftovers.map(({ path: file }) => path.relative(end.workspace, file)).join('\n')],
  ];
  const text = parts.map(([name, lines]) => `== ${name}\n${lines === '' ? '(none)' : lines}\n`).join('\n');
  return withNames(`\n${text}`, end);
}

function formatRequest({ service, method, path: at, headers, body, outcome }: FakeRequest): string {
  const lines = [...Object.entries(headers), ...Object.entries(Object(body) as object)].map(
    ([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [`${method} ${service} ${at} -> ${outcome}`, ...lines].join('\n');
}

// Stack traces contain minified names, which differ after every change.
function withoutStacks(log: string): string {
  const lines = log.trimEnd().split('\n');
  return lines.filter((line) => !/^ {4}at .+:\d+:\d+\)?$/.test(line)).join('\n');
}

/** The claims of self-signed tokens and assertions. Claims that the cloud signs are in the requests. */
function signedClaims({ fake }: JobEnd): string {
  return [...fake.tokens.ofKind('foreign bearer'), ...fake.tokens.ofKind('foreign token')]
    .map(({ name, secret }) => `${name} ${JSON.stringify(decodeClaimsUnverified(secret).claims)}`)
    .join('\n');
}

function pairs(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

const inLines = (value: unknown): string => JSON.stringify(value, undefined, 2);

function withNames(text: string, { fake, workspace }: JobEnd): string {
  const { private_key_id: keyId } = fake.serviceAccountKey();
  return (
    fake.tokens
      .redact(
        fake.tokens
          .ofKind('private key')
          .reduce((rest, { secret, name }) => rest.replaceAll(escaped(secret), name), text),
      )
      // A key signs its token even if no request shows it to the cloud.
      .replaceAll(/^auth_token=eyJ.+$/gm, 'auth_token=<self-signed token>')
      .replaceAll(new URL(fake.url).host, '<cloud>')
      .replaceAll(workspace, '<workspace>')
      .replaceAll(keyId, '<key id>')
      .replaceAll(/gha-creds-[0-9a-f]{16}/g, 'gha-creds-<16 hex>')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<moment>')
      .replaceAll(/(\\?"(?:iat|exp)\\?": ?)\d+/g, '$1<second>')
      .replaceAll(/weir-auth-action\/[\d.]+/g, 'weir-auth-action/<version>')
      .replaceAll(/\d+ ms\b/g, '<n> ms')
  );
}

/** Escapes text for JSON. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
