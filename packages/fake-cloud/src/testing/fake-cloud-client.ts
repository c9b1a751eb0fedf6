import type { FakeCloud } from '../fake-cloud';

/** The body is parsed if it is JSON. */
export interface FakeCloudResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Sends valid requests whose fields a spec can override. */
export function createFakeCloudClient(cloud: FakeCloud) {
  const request = async (url: string, init: RequestInit): Promise<FakeCloudResponse> => {
    const response = await fetch(url, { redirect: 'manual', ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  };
  const json = (url: string, body: unknown, bearer?: string) =>
    request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
      body: JSON.stringify(body),
    });
  const form = (url: string, fields: Readonly<Record<string, string>>) =>
    request(url, { method: 'POST', body: new URLSearchParams(fields) });
  const get = (url: string, bearer: string) => request(url, { headers: { authorization: `Bearer ${bearer}` } });

  const oidc = (audience = `https://iam.googleapis.com/${cloud.provider}`, bearer?: string) =>
    get(
      `${cloud.env.ACTIONS_ID_TOKEN_REQUEST_URL}&audience=${encodeURIComponent(audience)}`,
      bearer ?? cloud.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN,
    );
  const exchange = (subjectToken: string, changes: Fields = {}) =>
    json(`${cloud.bases.sts}/v1/token`, {
      audience: `//iam.googleapis.com/${cloud.provider}`,
      grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requestedTokenType: 'urn:ietf:params:oauth:token-type:access_token',
      scope: cloudPlatform,
      subjectTokenType: 'urn:ietf:params:oauth:token-type:jwt',
      subjectToken,
      ...changes,
    });
  const federatedToken = async (changes: Fields = {}): Promise<string> => {
    const { body } = await oidc();
    return requireString((await exchange(requireString(body.value), changes)).body.access_token);
  };
  const iam = (method: string, body: Fields, bearer: string, account = cloud.account.email) =>
    json(`${cloud.bases.iamcredentials}/v1/projects/-/serviceAccounts/${account}:${method}`, body, bearer);

  return {
    request,
    json,
    form,
    get,
    oidc,
    exchange,
    federatedToken,
    iam,
    accessToken: (bearer: string, changes: Fields = {}) =>
      iam('generateAccessToken', { scope: [cloudPlatform], lifetime: '600s', ...changes }, bearer),
    exchangeAssertion: (assertion: string) =>
      form(`${cloud.bases.oauth2}/token`, {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
      }),
    buckets: (bearer: string) => get(`${cloud.bases.storage}/storage/v1/b?project=example-project`, bearer),
  };
}

const cloudPlatform = 'https://www.googleapis.com/auth/cloud-platform';

function requireString(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('The response has no token.');
  return value;
}

function parse(text: string): Fields {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch {
    return { text };
  }
}
