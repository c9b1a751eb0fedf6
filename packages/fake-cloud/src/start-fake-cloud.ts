import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createResponseHolds, type ResponseHolds } from '@weir/test-kit';
import { apiError, Refusal, type FakeAnswer } from './fake-answers';
import { answerApi } from './fake-api';
import type { FakeCall, FakeHandler } from './fake-call';
import type { FakeAccount, FakeCloud, FakeCloudOptions, FakeRequest } from './fake-cloud-types';
import { answerInstead, createFaultQueues, resetConnection, send, spoil } from './fake-faults';
import { answerIam } from './fake-iam';
import { answerJwks, answerOidc } from './fake-issuer';
import { signFakeToken } from './fake-keys';
import { answerOauth, answerRevoke } from './fake-oauth';
import { fakeBases, routeOf } from './fake-routes';
import { serviceAccountKeyOf } from './fake-service-account-key';
import { answerIntrospection, answerSts } from './fake-sts';
import { transcribe } from './fake-transcript';
import { createFakeWorld, type FakeWorld } from './fake-world';

/**
 * A CI issuer and a cloud on the loopback address, that check what they are sent as the real ones do: signatures,
 * audiences, grammars, who may become whom, lifetimes. Answers can be made to go wrong by plan, everything secret can
 * be listed, and every request can be read back without its secrets.
 *
 * One plain port has all services below the addresses in `bases`. With an authority there is a TLS port too, that
 * tells services apart by the host names of the universe; `startConnectProxy` leads clients there.
 */
export async function startFakeCloud(options: FakeCloudOptions = {}): Promise<FakeCloud> {
  const state = createState(options);
  const front = (request: IncomingMessage, response: ServerResponse): void => {
    void handle(state, request, response).catch(() => response.destroy());
  };
  const plain = createPlainServer(front);
  const stray = createPlainServer((request, response) => void receiveStray(state, request, response));
  const { universe } = state.world;
  const tls = options.authority && createTlsServer(options.authority.issue([`*.${universe}`, universe]), front);
  const servers: readonly Server[] = tls === undefined ? [plain, stray] : [plain, stray, tls];
  for (const server of [plain, ...(tls === undefined ? [] : [tls])]) {
    server.on('connection', () => (state.connections += 1));
  }
  await Promise.all(servers.map(listen));
  const url = `http://127.0.0.1:${portOf(plain)}`;
  // Another host name for the same machine: what a client sends along must not reach it.
  state.otherHost = `http://localhost:${portOf(stray)}`;
  return {
    ...cloudOf(state, url),
    route: (host, port) => {
      if (host === '127.0.0.1' && port === portOf(plain)) return port;
      const isOfUniverse = host === universe || host.endsWith(`.${universe}`);
      return tls !== undefined && port === 443 && isOfUniverse ? portOf(tls) : undefined;
    },
    stop: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

interface State {
  readonly world: FakeWorld;
  readonly account: FakeAccount;
  readonly faults: ReturnType<typeof createFaultQueues>;
  readonly holds: ResponseHolds;
  readonly requests: FakeRequest[];
  readonly strayRequests: FakeRequest[];
  held: number;
  connections: number;
  otherHost: string;
}

function createState(options: FakeCloudOptions): State {
  const world = createFakeWorld(options);
  const [account] = world.accounts;
  // Before anything listens.
  if (account === undefined) throw new RangeError('A fake cloud needs an account.');
  return {
    world,
    account,
    faults: createFaultQueues(options.faults ?? {}),
    holds: createResponseHolds(),
    requests: [],
    strayRequests: [],
    held: 0,
    connections: 0,
    otherHost: '',
  };
}

function cloudOf(state: State, url: string): Omit<FakeCloud, 'route' | 'stop'> {
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
    requests: state.requests,
    strayRequests: state.strayRequests,
    tokens: world.secrets,
    setFaults: state.faults.set,
    setClaims: (claims) => {
      world.claims = claims;
    },
    heldCount: () => state.held,
    release: () => state.holds.end('release'),
    connectionCount: () => state.connections,
    serviceAccountKey: (email = state.account.email) => serviceAccountKeyOf(world, email),
    sign: (key, claims, header) => world.secrets.keep('foreign token', signFakeToken(key, claims, header)).secret,
  };
}

async function handle(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { world, holds } = state;
  const route = routeOf(request, world);
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
  const answer = isResetBefore ? undefined : await answerOf(state, call);
  if (answer === undefined || fault.kind === 'reset') {
    record.outcome = `reset ${isResetBefore ? 'before' : 'after'}`;
    resetConnection(request);
    return;
  }
  record.outcome = fault.kind === 'cut' ? `${answer.status}, cut` : String(answer.status);
  // By the cloud's clock: clients find out from it that their own is wrong.
  response.setHeader('date', new Date(world.nowSeconds() * 1000).toUTCString());
  send(response, answer, fault);
}

async function answerOf({ world, otherHost }: State, call: FakeCall): Promise<FakeAnswer> {
  const instead = answerInstead(call, world.nowSeconds(), otherHost);
  if (instead !== undefined) return instead;
  try {
    return spoil(await handlers(world)[call.service](call), call.fault);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

function handlers(world: FakeWorld): Readonly<Record<FakeCall['service'], FakeHandler>> {
  return {
    oidc: (call) => answerOidc(world, call),
    jwks: (call) => answerJwks(world, call),
    sts: (call) => answerSts(world, call),
    introspect: (call) => answerIntrospection(world, call),
    iam: (call) => answerIam(world, call),
    oauth: (call) => answerOauth(world, call),
    revoke: (call) => answerRevoke(world, call),
    api: (call) => answerApi(world, call),
    none: (call) => apiError(404, `Nothing answers at ${call.path}.`),
  };
}

async function receiveStray(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const route = routeOf(request, state.world);
  const body = await readBody(request);
  const fault = { kind: 'pass' } as const;
  const call: FakeCall = { ...route, method: request.method ?? '', headers: request.headers, body, fault };
  state.strayRequests.push({ ...transcribe(call, route.host, state.world.secrets), outcome: '200' });
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

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
