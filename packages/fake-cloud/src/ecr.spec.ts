import { createHmac, createHash } from 'node:crypto';
import { useFakeCloud } from './testing/use-fake-cloud';

const fixture = useFakeCloud();
const privateTarget = 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken';

interface Changes {
  readonly target?: string;
  readonly service?: string;
  readonly body?: string;
  readonly signedNames?: string;
}

async function requestToken({ target = privateTarget, service = 'ecr', body = '{}', ...changes }: Changes = {}) {
  const { bases, awsUser } = fixture.cloud;
  const url = new URL(`${bases.ecr}/`);
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'application/x-amz-json-1.1',
    host: url.host,
    'x-amz-date': '20261121T120000Z',
    'x-amz-target': target,
  };
  const names = changes.signedNames ?? Object.keys(headers).join(';');
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = ['POST', url.pathname, '', lines.join(''), names, sha256(body)].join('\n');
  const scope = ['20261121', 'eu-west-1', service, 'aws4_request'];
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), sha256(canonical)].join('\n');
  const signature = hmac(scope.reduce<Buffer | string>(hmac, `AWS4${awsUser.secretAccessKey}`), text).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${awsUser.accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
  const response = await fetch(url, { method: 'POST', headers: { ...headers, authorization }, body });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
}

describe('the registries of AWS', () => {
  it('give the owner of the keys a password for Docker', async () => {
    await fixture.start();
    const { status, body } = await requestToken();
    const [data] = body.authorizationData as readonly { readonly authorizationToken: string }[];
    const [password] = fixture.cloud.tokens.ofKind('registry password');

    expect(status).toBe(200);
    expect(Buffer.from(data?.authorizationToken ?? '', 'base64').toString()).toBe(`AWS:${String(password?.secret)}`);
    expect(password?.principal).toBe(fixture.cloud.awsUser.arn);
  });

  it.each([
    ['a signature for another service', { service: 'sts' }, 'InvalidSignatureException'],
    ['a signature that does not cover the target', { signedNames: 'host;x-amz-date' }, 'InvalidSignatureException'],
    ['an unknown target', { target: 'X.Y' }, 'UnknownOperationException'],
    ['fields', { body: '{"registryIds":[]}' }, 'SerializationException'],
  ])('refuse %s', async (_, changes, type) => {
    await fixture.start();

    expect(await requestToken(changes)).toMatchObject({ status: 400, body: { __type: type } });
  });
});
