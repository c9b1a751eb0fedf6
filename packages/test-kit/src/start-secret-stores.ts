import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyAwsSignature } from './verify-aws-signature';

/**
 * The interfaces of AWS Secrets Manager, Google Secret Manager and Azure Key Vault with the services of their tokens,
 * in memory: signatures and tokens are verified. The real ones are reached only with accounts.
 */
export interface SecretStores {
  readonly url: string;
  readonly aws: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken: string };
  /** The token of another issuer that Google and Entra accept. */
  readonly subjectToken: string;
  readonly azure: { readonly tenantId: string; readonly clientId: string; readonly clientSecret: string };
  /**
   * The keys are `aws:NAME`, `gcp:PROJECT/NAME` or `azure:NAME`, with `@VERSION` for a version other than the latest.
   */
  readonly secrets: Map<string, string>;
  /** The next requests find the stores busy. */
  readonly beBusyFor: (requests: number) => void;
  /** The names of the requested secrets, in order. */
  readonly asked: string[];
  /** The number of tokens that were given out. */
  readonly tokens: () => number;
  close(): Promise<void>;
}

const made = (): string => randomBytes(24).toString('hex');

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const denied: Reply = { status: 403, body: { error: 'denied' } };
const missing: Reply = { status: 404, body: { error: 'not found' } };

export async function startSecretStores(): Promise<SecretStores> {
  const aws = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: made(), sessionToken: made() };
  const azure = { tenantId: 'tenant', clientId: 'client', clientSecret: made() };
  const subjectToken = made();
  const bearers = { gcp: made(), azure: made() };
  const secrets = new Map<string, string>();
  const asked: string[] = [];
  let busy = 0;
  let tokens = 0;

  const find = (name: string): string | undefined => {
    asked.push(name);
    return secrets.get(name);
  };
  const token = (text: string): Reply => {
    tokens += 1;
    return { status: 200, body: { access_token: text, token_type: 'Bearer', expires_in: 3_599 } };
  };

  function askAws(request: IncomingMessage, body: string): Reply {
    const key = { ...aws, service: 'secretsmanager' };
    const signed = { method: request.method ?? '', target: request.url ?? '', headers: request.headers, body };
    const region = verifyAwsSignature(signed, key);
    if (region === undefined || request.headers['x-amz-security-token'] !== aws.sessionToken) {
      return { status: 400, body: { __type: 'InvalidSignatureException', message: 'denied' } };
    }
    const { SecretId, VersionId, VersionStage } = JSON.parse(body) as Readonly<Record<string, string | undefined>>;
    const version = VersionId ?? VersionStage;
    const text = find(`aws:${region}/${SecretId}${version === undefined ? '' : `@${version}`}`);
    return text === undefined
      ? { status: 400, body: { __type: 'com.amazonaws.secretsmanager#ResourceNotFoundException' } }
      : { status: 200, body: { Name: SecretId, SecretString: text } };
  }

  function askGoogle(request: IncomingMessage, path: string): Reply {
    const place = /^\/v1\/projects\/([^/]+)\/secrets\/([^/]+)\/versions\/([^/:]+):access$/.exec(path);
    if (place === null) return missing;
    if (request.headers.authorization !== `Bearer ${bearers.gcp}`) return denied;
    const [, project, name, version] = place;
    const text = find(`gcp:${project}/${name}${version === 'latest' ? '' : `@${version}`}`);
    return text === undefined
      ? missing
      : { status: 200, body: { payload: { data: Buffer.from(text).toString('base64') } } };
  }

  function askKeyVault(request: IncomingMessage, path: string): Reply {
    if (request.headers.authorization !== `Bearer ${bearers.azure}`) return { status: 401, body: {} };
    const [name, version] = path.slice('/secrets/'.length).split('/');
    const text = find(`azure:${name}${version === undefined ? '' : `@${version}`}`);
    return text === undefined ? missing : { status: 200, body: { value: text, id: path } };
  }

  function giveToken(request: IncomingMessage, url: URL, body: string): Reply {
    const form = new URLSearchParams(body);
    if (url.pathname === '/sts/v1/token') {
      return form.get('subject_token') === subjectToken ? token(bearers.gcp) : denied;
    }
    if (url.pathname === '/metadata/identity/oauth2/token') {
      const isRight =
        request.headers.metadata === 'true' && url.searchParams.get('resource') === 'https://vault.azure.net';
      return isRight ? token(bearers.azure) : denied;
    }
    const isKnown = url.pathname === `/${azure.tenantId}/oauth2/v2.0/token` && form.get('client_id') === azure.clientId;
    const isRight = form.get('client_secret') === azure.clientSecret || form.get('client_assertion') === subjectToken;
    const isForVaults = form.get('scope') === 'https://vault.azure.net/.default';
    return isKnown && isRight && isForVaults
      ? token(bearers.azure)
      : { status: 401, body: { error: 'invalid_client' } };
  }

  function answer(request: IncomingMessage, body: string): Reply {
    const url = new URL(request.url ?? '/', 'http://stores.test');
    if (busy > 0) {
      busy -= 1;
      return { status: 503, body: { error: 'busy' } };
    }
    if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue') return askAws(request, body);
    if (url.pathname.endsWith('/token')) return giveToken(request, url, body);
    if (url.pathname.startsWith('/secrets/')) return askKeyVault(request, url.pathname);
    return askGoogle(request, url.pathname);
  }

  const server = createServer((request, response) => {
    void readBody(request).then((body) => send(response, answer(request, body)));
  });
  return {
    url: await listen(server),
    aws,
    azure,
    subjectToken,
    secrets,
    asked,
    beBusyFor: (requests) => (busy = requests),
    tokens: () => tokens,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
