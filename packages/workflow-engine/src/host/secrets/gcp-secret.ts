import { readFile } from 'node:fs/promises';
import type { AuthClient, IdentityPoolClientOptions } from 'google-auth-library';
import { queryStore, StoreProblem } from './query-store';
import { chooseFromText, fieldsOf } from './secret-fields';
import { optionText, type SecretReader } from './secret-source';

/** The Google Secret Manager of a server. A DAG names what it reads and may name a project, never a host. */
export interface GcpSecretsAccess {
  readonly project: string;
  /** A key or a federation; what the server has at hand when missing: the file of its user, or its metadata server. */
  readonly credentialsFile?: string | undefined;
  /** Default: `https://secretmanager.googleapis.com`. */
  readonly endpoint?: string | undefined;
}

const store = 'Google Secret Manager';
const nameForm = /^[A-Za-z0-9_-]{1,255}$/;
const projectForm = /^[a-z0-9:.-]{1,80}$/;
const versionForm = /^(?:[1-9]\d{0,9}|[A-Za-z][\w-]{0,62})$/;
const scope = 'https://www.googleapis.com/auth/cloud-platform';

/** `key` is the name of a secret; `options` are field, version (`latest` by default) and project. */
export function createGcpSecretReader(access: GcpSecretsAccess): SecretReader {
  const endpoint = (access.endpoint ?? 'https://secretmanager.googleapis.com').replace(/\/+$/, '');
  const readToken = tokenReader(access);
  return async ({ key, options }) => {
    const project = optionText(options, 'project') ?? access.project;
    const version = optionText(options, 'version') ?? 'latest';
    if (!nameForm.test(key)) return { problem: 'the key has to be the name of a secret' };
    if (!projectForm.test(project)) return { problem: 'options.project is no project' };
    if (!versionForm.test(version)) return { problem: 'options.version is no version' };
    const url = `${endpoint}/v1/projects/${project}/secrets/${key}/versions/${version}:access`;
    const send = async (signal: AbortSignal) =>
      fetch(url, { headers: { authorization: `Bearer ${await readToken(signal)}` }, redirect: 'error', signal });
    const found = await queryStore({ store, send });
    if ('problem' in found) return found;
    const data = fieldsOf(fieldsOf(found.json)?.payload)?.data;
    return typeof data === 'string'
      ? chooseFromText(Buffer.from(data, 'base64').toString('utf8'), optionText(options, 'field'))
      : { problem: `${store} has sent something that is no secret` };
  };
}

function tokenReader({ credentialsFile }: GcpSecretsAccess): (signal: AbortSignal) => Promise<string> {
  let client: Promise<AuthClient> | undefined;
  return async (signal) => {
    client ??= createClient(credentialsFile);
    try {
      const { token } = await orAborted((await client).getAccessToken(), signal);
      if (typeof token === 'string' && token !== '') return token;
    } catch (cause) {
      // The next secret looks for credentials anew.
      client = undefined;
      throw new StoreProblem('this server gets no access token from Google', { cause });
    }
    throw new StoreProblem('this server gets no access token from Google');
  };
}

/** What every kind of credentials file may have; the library checks the rest. */
interface Credentials {
  readonly type?: string;
  readonly client_email?: string;
  readonly private_key?: string;
}

async function createClient(file: string | undefined): Promise<AuthClient> {
  const { GoogleAuth, IdentityPoolClient, JWT } = await import('google-auth-library');
  if (file === undefined) return new GoogleAuth({ scopes: [scope] }).getClient();
  const credentials = JSON.parse(await readFile(file, 'utf8')) as Credentials;
  if (credentials.type === 'service_account') {
    const { client_email: email, private_key: key } = credentials;
    return new JWT({ scopes: [scope], ...(email !== undefined && { email }), ...(key !== undefined && { key }) });
  }
  if (credentials.type !== 'external_account') throw new Error('The file holds credentials of another type.');
  // The administrator of the server has written the file.
  const client = new IdentityPoolClient(credentials as IdentityPoolClientOptions);
  client.scopes = [scope];
  return client;
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}
