import type { ProgramStep } from '@weir/actions-runner';
import {
  createTestAuthority,
  startConnectProxy,
  type ConnectProxy,
  type FakeCloud,
  type FakeCloudOptions,
  type FakeRequest,
} from '@weir/fake-cloud';
import { atLoopback, type Inputs } from '../../scenarios/testing/run-in-process';
import { runJob, type Job, type JobEnd } from '../../scenarios/testing/run-job';

/** How the job authenticates, which determines the inputs and the credentials file. */
export type Mode = 'a service account' | 'direct federation' | 'a key';

/**
 * How requests reach the cloud: at the endpoints in the inputs and in the file, or at its real host names, through a
 * proxy that requires credentials and with the certificate of an authority that only the job trusts.
 */
export type Route = 'on loopback' | 'at the real hosts';

export interface ConsumerJob {
  readonly mode: Mode;
  readonly route: Route;
  /** Steps after the auth step, with the variables of the job only. */
  readonly consumers: readonly ProgramStep[];
  readonly inputs?: Inputs;
  readonly cloud?: FakeCloudOptions;
  /** Variables of the job. */
  readonly env?: Readonly<Record<string, string>>;
  readonly runner?: Job['runner'];
}

/** A call of the API, and the owner of its bearer token. */
export interface ApiCall {
  readonly host: string;
  /** Name of the secret, such as `<access token 1>`; `undefined` for a token that the cloud did not issue. */
  readonly bearer: string | undefined;
  readonly kind: string | undefined;
  readonly principal: string | undefined;
  readonly outcome: string;
}

export interface ConsumerJobEnd extends JobEnd {
  /** The requests of the consumers in order: the service, and the method of IAM. */
  readonly requested: readonly string[];
  readonly apiCalls: readonly ApiCall[];
  /** The distinct tunnels that the action and the consumers requested. */
  readonly tunnels: readonly string[];
  readonly unauthorizedCount: number;
  /** The redacted log of each consumer. */
  readonly logs: readonly string[];
}

/** Runs the shipped bundle and the consumers as steps of one job. */
export async function runConsumerJob(job: ConsumerJob): Promise<ConsumerJobEnd> {
  const isReal = job.route === 'at the real hosts';
  const authority = createTestAuthority();
  let proxy: ConnectProxy | undefined;
  let fake: FakeCloud | undefined;
  let before = 0;
  try {
    const end = await runJob({
      cloud: { ...job.cloud, authority },
      with: (cloud) => ({ ...(isReal ? {} : atLoopback(cloud)), ...chooseCredentials(job, cloud), ...job.inputs }),
      around: async (cloud) => {
        fake = cloud;
        // A proxy without routes blocks requests to the real hosts.
        const route = isReal ? cloud.route : () => undefined;
        proxy = await startConnectProxy({ route, ca: authority, credentials: proxyUser });
        // Without NO_PROXY some clients use the proxy for loopback addresses too.
        const variables = { ...proxy.env, NO_PROXY: 'localhost,127.0.0.1' };
        return { ...variables, ...(isReal ? {} : loopbackVariables(cloud)), ...job.env };
      },
      steps: [{ inspect: () => void (before = fake?.requests.length ?? 0) }, ...job.consumers],
      ...(job.runner && { runner: job.runner }),
    });
    const requests = end.requests.slice(before).filter(isMain);
    return {
      ...end,
      requested: requests.map(formatRequest),
      apiCalls: requests.filter(({ service }) => service === 'api').map((request) => toApiCall(end.fake, request)),
      tunnels: [...new Set(proxy?.requests)].toSorted(),
      unauthorizedCount: proxy?.unauthorizedCount() ?? 0,
      logs: end.steps.slice(1).map(({ log }) => end.fake.tokens.redact(log)),
    };
  } finally {
    await proxy?.stop();
    await authority.remove();
  }
}

/** URLs that the credentials file does not contain: the API, and the token endpoint for keys. */
function loopbackVariables({ bases }: FakeCloud): Readonly<Record<string, string>> {
  return {
    STORAGE_ENDPOINT: bases.storage,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE: `${bases.storage}/storage/v1/`,
    CLOUDSDK_AUTH_TOKEN_HOST: `${bases.oauth2}/token`,
  };
}

// Some clients request this in the background at any time.
function isMain({ path: at }: FakeRequest): boolean {
  return !at.endsWith('/allowedLocations');
}

// The credentials contain characters that must be escaped in a URL.
const proxyUser = { user: 'ci@example', password: 'p:/w %d' };

function chooseCredentials({ mode, route }: ConsumerJob, fake: FakeCloud): Inputs {
  const provider = { workload_identity_provider: fake.provider };
  if (mode === 'a service account') return { ...provider, service_account: fake.account.email };
  // The provider contains no project id, which clients need.
  if (mode === 'direct federation') return { ...provider, project_id: 'example-project' };
  const key = fake.serviceAccountKey();
  const tokenUri = route === 'on loopback' ? { token_uri: `${fake.bases.oauth2}/token` } : {};
  return { credentials_json: JSON.stringify({ ...key, ...tokenUri }) };
}

function formatRequest({ service, path: at }: FakeRequest): string {
  return service === 'iam' ? `iam ${/[^:]+$/.exec(at)?.[0]}` : service;
}

function toApiCall(fake: FakeCloud, { host, headers, outcome }: FakeRequest): ApiCall {
  const issued = fake.tokens.all().find(({ name }) => headers.authorization === `Bearer ${name}`);
  return { host, bearer: issued?.name, kind: issued?.kind, principal: issued?.principal, outcome };
}

/** The requests of a client for one API call. */
export const expectedRequests: Readonly<Record<Mode, readonly string[]>> = {
  'a service account': ['oidc', 'sts', 'iam generateAccessToken', 'api'],
  'direct federation': ['oidc', 'sts', 'api'],
  'a key': ['oauth', 'api'],
};

/** The job succeeds, every API call has the expected principal, and the last one has the last token. */
export function expectGranted(end: ConsumerJobEnd, { mode, route }: Pick<ConsumerJob, 'mode' | 'route'>): void {
  const { errors, leaked, logs, unauthorizedCount, fake } = end;
  const leftovers = end.leftovers.map(({ path }) => path);
  const listed: unknown = expect.stringContaining('example-bucket');
  // First and with all logs, which contain the reason of a failure.
  expect({ errors, logs }).toEqual({ errors: [], logs: [...logs.slice(0, -1), listed] });
  expect({ leaked, leftovers, unauthorizedCount }).toEqual({ leaked: [], leftovers: [], unauthorizedCount: 0 });
  const kind = mode === 'direct federation' ? 'federated token' : 'access token';
  const principal = mode === 'direct federation' ? subject : fake.account.email;
  for (const call of end.apiCalls) expect(call).toMatchObject({ kind, principal, outcome: '200' });
  expect(end.apiCalls.at(-1)).toMatchObject({
    host: route === 'on loopback' ? '127.0.0.1' : `storage.${fake.universe}`,
    bearer: fake.tokens.ofKind(kind).at(-1)?.name,
  });
}

/** Every call has a self-signed token of the account, because other universes have no token endpoint. */
export function expectSelfSigned(end: ConsumerJobEnd): void {
  const { errors, leaked, logs, requested, fake } = end;
  expect({ errors, logs, leaked }).toEqual({ errors: [], logs, leaked: [] });
  expect(requested).toEqual(logs.map(() => 'api'));
  expect(end.apiCalls.map(({ outcome }) => outcome)).toEqual(logs.map(() => '200'));
  const issuers = fake.tokens.ofKind('foreign bearer').map(({ secret }) => decodeClaims(secret).iss);
  expect([...new Set(issuers)]).toEqual([fake.account.email]);
}

function decodeClaims(token: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;
}

const subject =
  'principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/ci-pool/subject/repo:example-org/example-repo:ref:refs/heads/main';
