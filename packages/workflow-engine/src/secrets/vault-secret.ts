import { setTimeout as wait } from 'node:timers/promises';
import { optionNumber, optionText, unknownOption, type ReadSecret, type SecretReader } from './secret-source';
import { chooseField } from './secret-fields';

/** The Vault of a server. A DAG names what it reads, never where: the token must not be sent elsewhere. */
export interface VaultAccess {
  /** `https://vault.example:8200`. */
  readonly address: string;
  /** Read for every secret, because an agent may renew it. */
  readonly readToken: () => Promise<string>;
  readonly namespace?: string | undefined;
}

const requestMs = 10_000;
const attempts = 3;
const pauseMs = 500;
const maxAnswerLength = 1_048_576;

/** Reads from the second version of the key-value engine: `key` is MOUNT/PATH, `options` are field and version. */
export function createVaultSecretReader(access: VaultAccess): SecretReader {
  return async ({ key, options }) => {
    const unknown = unknownOption(options, ['field', 'version']);
    if (unknown !== undefined) return { problem: `Vault has no option ${unknown}` };
    const [mount = '', ...path] = key.split('/');
    if (path.length === 0 || [mount, ...path].some((part) => ['', '.', '..'].includes(part))) {
      return { problem: 'the key has to be MOUNT/PATH' };
    }
    const version = optionNumber(options, 'version');
    const query = version === undefined ? '' : `?version=${version}`;
    const place = [mount, 'data', ...path].map(encodeURIComponent).join('/');
    const found = await readRepeatedly(access, `/v1/${place}${query}`);
    return 'problem' in found ? found : chooseField(found.fields, optionText(options, 'field'));
  };
}

type Found = { readonly fields: Readonly<Record<string, unknown>> } | { readonly problem: string };

async function readRepeatedly(access: VaultAccess, path: string): Promise<Found> {
  let problem = '';
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (attempt > 1) await wait(pauseMs * attempt);
    const read = await readOnce(access, path);
    if (!('isPassing' in read) || !read.isPassing) return read;
    problem = read.problem;
  }
  return { problem };
}

interface Failed {
  readonly problem: string;
  /** Whether the same request may succeed later. */
  readonly isPassing: boolean;
}

async function readOnce(access: VaultAccess, path: string): Promise<Failed | Exclude<Found, ReadSecret>> {
  const { address, namespace, readToken } = access;
  let response: Response;
  try {
    response = await fetch(`${address.replace(/\/+$/, '')}${path}`, {
      headers: {
        'x-vault-token': await readToken(),
        ...(namespace === undefined ? {} : { 'x-vault-namespace': namespace }),
      },
      redirect: 'error',
      signal: AbortSignal.timeout(requestMs),
    });
  } catch {
    return { problem: 'Vault cannot be reached', isPassing: true };
  }
  const { status } = response;
  const isPassing = status === 429 || status >= 500;
  if (status === 404) return { problem: 'Vault has no such secret', isPassing };
  if (status === 403) return { problem: 'Vault does not allow it to this server', isPassing };
  if (!response.ok) return { problem: `Vault has refused it (status ${status})`, isPassing };
  return toFields(await response.text());
}

function toFields(text: string): Failed | { readonly fields: Readonly<Record<string, unknown>> } {
  const failed = { problem: 'Vault has sent something that is no secret', isPassing: false };
  if (text.length > maxAnswerLength) return failed;
  try {
    const { data } = JSON.parse(text) as { readonly data?: { readonly data?: unknown } };
    const fields = data?.data;
    return typeof fields === 'object' && fields !== null
      ? { fields: fields as Readonly<Record<string, unknown>> }
      : failed;
  } catch {
    return failed;
  }
}
