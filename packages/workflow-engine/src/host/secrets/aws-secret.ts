import { createHash, createHmac } from 'node:crypto';
import { queryStore, byStatus, type AnswerKind, type StoreAnswer, StoreProblem } from './query-store';
import { chooseFromText, fieldsOf } from './secret-fields';
import { optionText, type SecretReader } from './secret-source';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The AWS Secrets Manager of a server. A DAG names what it reads and may name a region, never a host. */
export interface AwsSecretsAccess {
  readonly region: string;
  /** Instead of the host of the region, such as that of a private endpoint. */
  readonly endpoint?: string | undefined;
  /** Without them, the server uses the variables, files and roles that the tools of AWS find. */
  readonly credentials?: AwsCredentials | undefined;
}

const store = 'AWS Secrets Manager';
const regionForm = /^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/;
/** A version has an id in the form of a UUID; anything else is the name of a stage. */
const versionId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `key` is the name or ARN of a secret; `options` are field, version (an id or a stage) and region. */
export function createAwsSecretReader(access: AwsSecretsAccess): SecretReader {
  const findCredentials = credentialsOf(access);
  return async ({ key, options }) => {
    const region = optionText(options, 'region') ?? access.region;
    if (!regionForm.test(region)) return { problem: 'options.region is no region of AWS' };
    const version = optionText(options, 'version');
    const stage =
      version === undefined ? {} : versionId.test(version) ? { VersionId: version } : { VersionStage: version };
    const url = new URL(access.endpoint ?? `https://secretsmanager.${region}.${domainOf(region)}/`);
    const body = JSON.stringify({ SecretId: key, ...stage });
    const send = async (signal: AbortSignal) => {
      const headers = await sign(url, { body, region, credentials: await findCredentials() });
      return fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
    };
    const found = await queryStore({ store, send, classify });
    if ('problem' in found) return found;
    const { SecretString: text, SecretBinary: bytes } = fieldsOf(found.json) ?? {};
    if (typeof text === 'string') return chooseFromText(text, optionText(options, 'field'));
    return typeof bytes === 'string'
      ? chooseFromText(Buffer.from(bytes, 'base64').toString('utf8'), optionText(options, 'field'))
      : { problem: `${store} has sent something that is no secret` };
  };
}

function domainOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}

function credentialsOf({ credentials }: AwsSecretsAccess): () => Promise<AwsCredentials> {
  if (credentials !== undefined) return () => Promise.resolve(credentials);
  let find: (() => Promise<AwsCredentials>) | undefined;
  return async () => {
    const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
    find ??= defaultProvider();
    try {
      return await find();
    } catch (cause) {
      throw new StoreProblem('this server has no credentials for AWS', { cause });
    }
  };
}

interface Signing {
  readonly body: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
}

async function sign(url: URL, { body, region, credentials }: Signing): Promise<Record<string, string>> {
  const { SignatureV4 } = await import('@smithy/signature-v4');
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const signer = new SignatureV4({
    service: 'secretsmanager',
    region,
    sha256: Sha256,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
  });
  const { headers } = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: {
      host: url.host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'secretsmanager.GetSecretValue',
    },
    body,
  });
  // `fetch` sends the host itself.
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'host'));
}

/** The hash that the signer asks for. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBytes(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('A hash is used once.');
  }
}

function toBytes(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
}

/** The service says with status 400 what is wrong, by the name of the exception. */
function classify(answer: StoreAnswer): AnswerKind {
  const name = /"__type"\s*:\s*"(?:[^"]*#)?(\w+)"/.exec(answer.text)?.[1] ?? '';
  if (name === 'ResourceNotFoundException') return 'missing';
  if (/^(?:AccessDenied|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|ExpiredToken)/.test(name)) {
    return 'forbidden';
  }
  return /^(?:Throttling|TooManyRequests|RequestLimitExceeded|InternalService)/.test(name) ? 'busy' : byStatus(answer);
}
