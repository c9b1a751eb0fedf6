import { startSecretStores, type SecretStores } from '@weir/test-kit';
import type { JsonObject } from '@weir/workflow-spec';
import { createAwsSecretReader } from './aws-secret';
import { createAzureSecretReader, type AzureIdentity } from './azure-secret';
import { createGcpSecretReader } from './gcp-secret';
import type { SecretReader } from './secret-source';

let stores: SecretStores;

beforeAll(async () => {
  stores = await startSecretStores();
  for (const [name, text] of Object.entries({
    'aws:eu-west-1/team/db': '{"user":"ada","password":"hunter22"}',
    'aws:eu-west-1/team/db@AWSPREVIOUS': 'hunter21',
    'aws:us-east-1/far': 'hunter23',
    'azure:db': '{"user":"ada","password":"hunter22"}',
    'azure:db@0123456789abcdef0123456789abcdef': 'hunter21',
  })) {
    stores.secrets.set(name, text);
  }
});
afterAll(() => stores.close());

const read = (reader: SecretReader, key: string, options?: JsonObject) =>
  reader(
    { name: 'TOKEN', kind: 'provider', provider: 'any', key, ...(options === undefined ? {} : { options }) },
    { hostEnv: {}, folder: '/' },
  );

const aws = (secretAccessKey = stores.aws.secretAccessKey) =>
  createAwsSecretReader({
    region: 'eu-west-1',
    endpoint: stores.url,
    credentials: { ...stores.aws, secretAccessKey },
  });

/** Whose requests with tokens are those of the end-to-end specs: its library cannot be loaded by Jest. */
const gcp = () => createGcpSecretReader({ project: 'shop', endpoint: stores.url });

function azure(kind: 'secret' | 'federated' = 'secret', text?: string): SecretReader {
  const { tenantId, clientId, clientSecret } = stores.azure;
  const known = kind === 'secret' ? clientSecret : stores.subjectToken;
  const identity: AzureIdentity = {
    kind: 'application',
    tenantId,
    clientId,
    authority: stores.url,
    readCredential: () => Promise.resolve({ kind, text: text ?? known }),
  };
  return createAzureSecretReader({ vault: stores.url, identity });
}

describe.each([
  ['AWS Secrets Manager', () => aws(), 'team/db', 'AWSPREVIOUS', () => aws('wrong')],
  ['Azure Key Vault', () => azure(), 'db', '0123456789abcdef0123456789abcdef', () => azure('secret', 'wrong')],
] as const)('a secret of %s', (store, reader, key, version, refused) => {
  it('is the whole text, a field of it, or an earlier version', async () => {
    expect(await read(reader(), key)).toEqual({ value: '{"user":"ada","password":"hunter22"}' });
    expect(await read(reader(), key, { field: 'password' })).toEqual({ value: 'hunter22' });
    expect(await read(reader(), key, { version })).toEqual({ value: 'hunter21' });
  });

  it('is requested again while the store is busy', async () => {
    const warm = reader();
    await read(warm, key);
    stores.beBusyFor(1);
    expect(await read(warm, key, { field: 'user' })).toEqual({ value: 'ada' });
  });

  it('is refused when it is missing, lacks the field, or is not an object', async () => {
    expect(await read(reader(), 'missing')).toEqual({ problem: `${store} has no such secret` });
    expect(await read(reader(), key, { field: 'other' })).toEqual({ problem: 'it has no such field' });
    expect(await read(reader(), key, { version, field: 'user' })).toEqual({
      problem: 'it is no JSON object, of which options.field could name a field',
    });
  });

  it('is refused to a server with other credentials', async () => {
    const { problem } = (await read(refused(), key)) as { problem: string };
    expect(problem).toMatch(/does not allow it to this server|has refused this server/);
    expect(problem).not.toContain('wrong');
  });
});

describe('where the request goes', () => {
  it('follows the region that a DAG names', async () => {
    expect(await read(aws(), 'far', { region: 'us-east-1' })).toEqual({ value: 'hunter23' });
  });

  it.each([
    ['a region', () => aws(), 'a', { region: 'evil.test/' }, 'options.region is no region of AWS'],
    ['a project', () => gcp(), 'a', { project: '../x' }, 'options.project is no project'],
    ['a key of Google', () => gcp(), '../../x', {}, 'the key has to be the name of a secret'],
    ['a key of Azure', () => azure(), 'a/../b', {}, 'the key has to be the name of a secret'],
    ['a version', () => azure(), 'a', { version: '../b' }, 'options.version is no version'],
  ] as const)('is not changed by %s', async (_, reader, key, options, problem) => {
    const before = stores.asked.length;
    expect(await read(reader(), key, options)).toEqual({ problem });
    expect(stores.asked).toHaveLength(before);
  });
});

describe('tokens', () => {
  it('are reused until they expire', async () => {
    const [before, reader] = [stores.tokens(), azure()];
    await read(reader, 'db');
    await read(reader, 'db');
    expect(stores.tokens()).toBe(before + 1);
  });

  it('are issued for the token of another issuer, and for the identity of the machine', async () => {
    expect(await read(azure('federated'), 'db', { field: 'user' })).toEqual({ value: 'ada' });
    const managed = createAzureSecretReader({ vault: stores.url, identity: { kind: 'managed', address: stores.url } });
    expect(await read(managed, 'db', { field: 'user' })).toEqual({ value: 'ada' });
  });
});
