import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createResponseHolds, type ResponseHolds } from '@weir/test-kit';
import { apiErrorResponse, RejectedRequest, type FakeResponse } from './responses';
import { handleApi } from './api';
import { handleAwsSts } from './aws-sts';
import { handleEcr } from './ecr';
import { handleEntraMetadata, handleEntraToken } from './azure-entra';
import type { FakeCall, FakeHandler } from './call';
import type { FakeAccount, FakeAwsRole, FakeAzureApp, FakeCloud, FakeCloudOptions, FakeRequest } from './fake-cloud';
import { createFaultResponse, createFaultQueues, resetConnection, send, applyFault } from './faults';
import { handleIam } from './iam-credentials';
import { handleJwks, handleOidcToken } from './oidc-issuer';
import { signFakeToken } from './rsa-keys';
import { handleOauthToken, handleRevocation } from './oauth';
import { fakeBases, findRoute, isOtherHost, otherHostNames } from './routes';
import { createServiceAccountKey } from './service-account-key';
import { handleIntrospection, handleTokenExchange } from './security-token-service';
import { transcribe } from './transcript';
import { createFakeWorld, type FakeWorld } from './world';

/**
 * Starts an OIDC issuer and the token services on a loopback address. They verify requests like the real services:
 * signatures, audiences, grammars, impersonation, lifetimes. Faults can be planned, secrets can be listed, and every
 * request is recorded without its secrets.
 *
 * A plain HTTP server has all services below the URLs in `bases`. With an authority there is also a TLS server, which
 * routes by the host names of the universe; `startConnectProxy` directs clients to it.
 */
export async function startFakeCloud(options: FakeCloudOptions = {}): Promise<FakeCloud> {
  const state = createState(options);
  const front = (request: IncomingMessage, response: ServerResponse): void => {
    void handleRequest(state, request, response).catch(() => response.destroy());
  };
  const plain = createPlainServer(front);
  const stray = createPlainServer((request, response) => void receiveStrayRequest(state, request, response));
  const { universe } = state.world;
  const tls =
    options.authority &&
    createTlsServer(options.authority.issue([`*.${universe}`, universe, ...otherHostNames]), front);
  const servers: readonly Server[] = tls === undefined ? [plain, stray] : [plain, stray, tls];
  for (const server of [plain, ...(tls === undefined ? [] : [tls])]) {
    server.on('connection', () => (state.connections += 1));
  }
  await Promise.all(servers.map(listen));
  const url = `http://127.0.0.1:${getPort(plain)}`;
  // Another host name of the same machine, to which clients must not send credentials.
  state.otherHost = `http://localhost:${getPort(stray)}`;
  return {
    ...createCloud(state, url),
    route: (host, port) => {
      if (host === '127.0.0.1' && port === getPort(plain)) return port;
      const isServed = host === universe || host.endsWith(`.${universe}`) || isOtherHost(host);
      return tls !== undefined && port === 443 && isServed ? getPort(tls) : undefined;
    },
    stop: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

interface State {
  readonly world: FakeWorld;
  readonly account: FakeAccount;
  readonly awsRole: FakeAwsRole;
  readonly azureApp: FakeAzureApp;
  readonly faults: ReturnType<typeof createFaultQueues>;
  readonly holds: ResponseHolds;
  readonly requests: FakeRequest[];
  readonly redirectedRequests: FakeRequest[];
  held: number;
  connections: number;
  otherHost: string;
}

function createState(options: FakeCloudOptions): State {
  const world = createFakeWorld(options);
  const [[account], [awsRole], [azureApp]] = [world.accounts, world.awsRoles, world.azureApps];
  if (account === undefined || awsRole === undefined || azureApp === undefined) {
    throw new RangeError('A fake cloud needs an account, a role and an application.');
  }
  return {
    world,
    account,
    awsRole,
    azureApp,
    faults: createFaultQueues(options.faults ?? {}),
    holds: createResponseHolds(),
    requests: [],
    redirectedRequests: [],
    held: 0,
    connections: 0,
    otherHost: '',
  };
}

function createCloud(state: State, url: string): Omit<FakeCloud, 'route' | 'stop'> {
  const { world } = state;
  const bases = fakeBases(url);
  return {
    url,
    bases,
    env: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${bases.issuer}/oidc/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: world.requestToken,
    },
    provider: world.provider,
    issuer: world.issuer,
    universe: world.universe,
    account: state.account,
    awsRole: state.awsRole,
    azureApp: state.azureApp,
    awsUser: world.awsUser,
    awsSessions: () => [...world.awsKeys.values()].filter(({ sessionToken }) => sessionToken !== undefined),
    requests: state.requests,
    redirectedRequests: state.redirectedRequests,
    tokens: world.secrets,
    setFaults: state.faults.set,
    setClaims: (claims) => {
      world.claims = claims;
    },
    heldCount: () => state.held,
    release: () => state.holds.end('release'),
    connectionCount: () => state.connections,
    serviceAccountKey: (email = state.account.email) => createServiceAccountKey(world, email),
    sign: (key, claims, header) => world.secrets.add('foreign token', signFakeToken(key, claims, header)).secret,
  };
}

async function handleRequest(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { world, holds } = state;
  const route = findRoute(request, world);
  const fault = state.faults.next(route.service);
  const isResetBefore = fault.kind === 'reset' && fault.when === 'before';
  const body = isResetBefore ? '' : await readBody(request);
  const call: FakeCall = { ...route, method: request.method ?? '', headers: request.headers, body, fault };
  const record = transcribe(call, route.host, world.secrets);
  state.requests.push(record);
  if (fault.kind === 'hold') {
    state.held += 1;
    record.outcome = 'held';
    const how = await holds.wait(response);
    state.held -= 1;
    if (how !== 'release') return;
  }
  const answer = isResetBefore ? undefined : await createResponse(state, call);
  if (answer === undefined || fault.kind === 'reset') {
    record.outcome = `reset ${isResetBefore ? 'before' : 'after'}`;
    resetConnection(request);
    return;
  }
  record.outcome = fault.kind === 'cut' ? `${answer.status}, cut` : String(answer.status);
  // The clock of the cloud, from which clients detect that their own clock is wrong.
  response.setHeader('date', new Date(world.nowSeconds() * 1000).toUTCString());
  send(response, answer, fault);
}

async function createResponse({ world, otherHost }: State, call: FakeCall): Promise<FakeResponse> {
  const instead = createFaultResponse(call, world.nowSeconds(), otherHost);
  if (instead !== undefined) return instead;
  try {
    return applyFault(await handlers(world)[call.service](call), call.fault);
  } catch (error) {
    if (error instanceof RejectedRequest) return error.response;
    throw error;
  }
}

function handlers(world: FakeWorld): Readonly<Record<FakeCall['service'], FakeHandler>> {
  return {
    oidc: (call) => handleOidcToken(world, call),
    jwks: (call) => handleJwks(world, call),
    sts: (call) => handleTokenExchange(world, call),
    introspect: (call) => handleIntrospection(world, call),
    iam: (call) => handleIam(world, call),
    oauth: (call) => handleOauthToken(world, call),
    revoke: (call) => handleRevocation(world, call),
    api: (call) => handleApi(world, call),
    aws: (call) => handleAwsSts(world, call),
    ecr: (call) => handleEcr(world, call),
    azure: (call) => handleEntraToken(world, call),
    azureMetadata: (call) => handleEntraMetadata(world, call),
    none: (call) => apiErrorResponse(404, `There is no service at ${call.path}.`),
  };
}

async function receiveStrayRequest(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const route = findRoute(request, state.world);
  const body = await readBody(request);
  const fault = { kind: 'pass' } as const;
  const call: FakeCall = { ...route, method: request.method ?? '', headers: request.headers, body, fault };
  state.redirectedRequests.push({ ...transcribe(call, route.host, state.world.secrets), outcome: '200' });
  const token = 'token-of-a-stranger';
  const answer = { value: token, access_token: token, accessToken: token, token, signedJwt: token, expires_in: 3600 };
  send(response, { status: 200, body: answer }, fault);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

function getPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
