import { queryStore, StoreProblem } from './query-store';
import { chooseFromText, fieldsOf } from './secret-fields';
import { optionText, type SecretReader } from './secret-source';

/** The ways in which a server signs in to Microsoft Entra ID. */
export type AzureIdentity =
  | {
      readonly kind: 'application';
      readonly tenantId: string;
      readonly clientId: string;
      /** A secret, or the token of another issuer whom the application trusts; read for each token. */
      readonly readCredential: () => Promise<{ readonly kind: 'secret' | 'federated'; readonly text: string }>;
      /** Default: `https://login.microsoftonline.com`. */
      readonly authority?: string | undefined;
    }
  | {
      /** The identity of the virtual machine. */
      readonly kind: 'managed';
      readonly clientId?: string | undefined;
      /** Default: `http://169.254.169.254`. */
      readonly address?: string | undefined;
    };

/** The Azure Key Vault of a server. A DAG names what it reads, never where: the token must not be sent elsewhere. */
export interface AzureSecretsAccess {
  /** `https://shop.vault.azure.net`. */
  readonly vault: string;
  readonly identity: AzureIdentity;
}

const store = 'Azure Key Vault';
const apiVersion = '7.4';
const resource = 'https://vault.azure.net';
const nameForm = /^[0-9A-Za-z-]{1,127}$/;
const versionForm = /^[0-9a-f]{32}$/;
/** A token is used until this long before its end. */
const marginMs = 60_000;

/** `key` is the name of a secret; `options` are field and version. */
export function createAzureSecretReader({ vault, identity }: AzureSecretsAccess): SecretReader {
  const readToken = tokenReader(identity);
  return async ({ key, options }) => {
    const version = optionText(options, 'version') ?? '';
    if (!nameForm.test(key)) return { problem: 'the key has to be the name of a secret' };
    if (version !== '' && !versionForm.test(version)) return { problem: 'options.version is no version' };
    const path = ['secrets', key, ...(version === '' ? [] : [version])].join('/');
    const url = `${vault.replace(/\/+$/, '')}/${path}?api-version=${apiVersion}`;
    const send = async (signal: AbortSignal) =>
      fetch(url, { headers: { authorization: `Bearer ${await readToken(signal)}` }, redirect: 'error', signal });
    const found = await queryStore({ store, send });
    if ('problem' in found) return found;
    const value = fieldsOf(found.json)?.value;
    return typeof value === 'string'
      ? chooseFromText(value, optionText(options, 'field'))
      : { problem: `${store} has sent something that is no secret` };
  };
}

function tokenReader(identity: AzureIdentity): (signal: AbortSignal) => Promise<string> {
  let known: { readonly token: string; readonly untilMs: number } | undefined;
  return async (signal) => {
    if (known !== undefined && known.untilMs > Date.now()) return known.token;
    const response = await (identity.kind === 'managed' ? askMachine(identity, signal) : askEntra(identity, signal));
    // A busy service is asked again with the whole request.
    if (response.status === 429 || response.status >= 500) throw new Error('The service of tokens is busy.');
    if (!response.ok) throw new StoreProblem(`Microsoft Entra ID has refused this server (status ${response.status})`);
    const { access_token: token, expires_in: seconds } = fieldsOf(await response.json()) ?? {};
    if (typeof token !== 'string') throw new StoreProblem('Microsoft Entra ID has sent no token');
    known = { token, untilMs: Date.now() + Number(seconds) * 1_000 - marginMs };
    return token;
  };
}

async function askEntra(
  { authority, tenantId, clientId, readCredential }: Extract<AzureIdentity, { kind: 'application' }>,
  signal: AbortSignal,
): Promise<Response> {
  const { kind, text } = await readCredential();
  const proof =
    kind === 'secret'
      ? { client_secret: text }
      : {
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: text,
        };
  const base = (authority ?? 'https://login.microsoftonline.com').replace(/\/+$/, '');
  return fetch(`${base}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      scope: `${resource}/.default`,
      ...proof,
    }),
    redirect: 'error',
    signal,
  });
}

function askMachine(
  { address, clientId }: Extract<AzureIdentity, { kind: 'managed' }>,
  signal: AbortSignal,
): Promise<Response> {
  const query = new URLSearchParams({
    'api-version': '2018-02-01',
    resource,
    ...(clientId === undefined ? {} : { client_id: clientId }),
  });
  const url = `${address ?? 'http://169.254.169.254'}/metadata/identity/oauth2/token?${query.toString()}`;
  return fetch(url, { headers: { metadata: 'true' }, redirect: 'error', signal });
}
