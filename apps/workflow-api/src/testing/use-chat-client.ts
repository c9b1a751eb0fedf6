import { createHash } from 'node:crypto';
import { createRecordingLogger } from '@weir/test-kit';
import { systemTimer } from '@weir/workflow-engine/model';
import { systemClock } from '../adapters/clock';
import { systemRandom } from '../adapters/random-source';
import {
  createAuditTrail,
  createInMemoryAuditLogRepository,
  type AuditLogRepository,
  type AuditTrail,
} from '../features/audit';
import { createTestApi, testPassword, type TestApi } from './test-api';

const verifier = 'v'.repeat(43);
const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
export const redirectAddress = 'http://127.0.0.1:1234/callback';

export const documentAddress = 'https://chat.example/client.json';
/** The description of a chat client. */
export const aDocument = (values: object = {}) => ({
  client_id: documentAddress,
  client_name: 'Chat',
  redirect_uris: [redirectAddress],
  ...values,
});

/** The status of a GET of the tools, which are reached only with a POST. */
export const reached = 405;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Tokens {
  readonly clientId: string;
  readonly access: string;
  readonly refresh: string;
}

type Values = Readonly<Record<string, string>>;

/** Provides a server, the browser of its user Ada, and what chat clients and people call, for each case of a file. */
export function useChatClient() {
  let api: TestApi;
  let auditLog: AuditLogRepository;
  let audit: AuditTrail;
  let browser: Record<string, string>;
  const clientDocuments: Record<string, unknown> = {};

  const openBrowser = async (): Promise<void> => {
    const body = { username: 'ada', password: testPassword, session: true };
    const { headers } = await api.send('POST /auth/login', { body });
    browser = { cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  };
  beforeEach(async () => {
    auditLog = createInMemoryAuditLogRepository();
    audit = createAuditTrail({
      auditLog,
      auditRetentionMs: undefined,
      clock: systemClock,
      timer: systemTimer,
      random: systemRandom,
      logger: createRecordingLogger(),
    });
    api = await createTestApi({ audit, clientDocuments });
    await api.addUser({ id: 'ada', username: 'ada', role: 'developer' });
    await openBrowser();
  });
  afterEach(() => api.stop());

  const call = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${api.url}${path}`, { redirect: 'manual', ...init });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const body = isJson ? (JSON.parse(text) as Answer['body']) : {};
    return { status: response.status, headers: response.headers, body };
  };
  const post = (path: string, form: Values): Promise<Answer> =>
    call(path, { method: 'POST', body: new URLSearchParams(form) });
  const register = (metadata: object, from = '203.0.113.1'): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
    return call('/oauth/register', { method: 'POST', headers, body: JSON.stringify(metadata) });
  };
  const aClient = async (): Promise<string> => {
    const { body } = await register({ client_name: 'Chat', redirect_uris: [redirectAddress] });
    return String(body.client_id);
  };
  const requestOf = (clientId: string, values: Readonly<Record<string, string | undefined>> = {}): string => {
    const request: Readonly<Record<string, string | undefined>> = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectAddress,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      state: 'of the client',
      resource: `${api.url}/mcp`,
      ...values,
    };
    const given = Object.entries(request).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return new URLSearchParams(given).toString();
  };
  const describeRequest = (request: string) =>
    api.send(`GET /auth/connections/request?${new URLSearchParams({ request }).toString()}`, { headers: browser });
  const answer = (request: string, access: string | null, headers = browser) =>
    api.send('POST /auth/connections', { headers, body: { request, access } });
  const consent = async (clientId: string, access = 'full'): Promise<string> => {
    const { body } = await answer(requestOf(clientId), access);
    return new URL(String(body.redirectAddress)).searchParams.get('code') ?? '';
  };
  const exchange = (clientId: string, code: string, values: Values = {}): Promise<Answer> =>
    post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: redirectAddress,
      code_verifier: verifier,
      resource: `${api.url}/mcp`,
      ...values,
    });
  const toTokens = (clientId: string, { body }: Answer): Tokens => ({
    clientId,
    access: String(body.access_token),
    refresh: String(body.refresh_token),
  });
  return {
    get api() {
      return api;
    },
    /** The headers of the browser in which Ada is signed in. */
    get browser() {
      return browser;
    },
    clientDocuments,
    openBrowser,
    call,
    post,
    register,
    aClient,
    requestOf,
    describeRequest,
    answer,
    consent,
    exchange,
    refresh: (clientId: string, token: string): Promise<Answer> =>
      post('/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token }),
    toTokens,
    connect: async (access = 'full'): Promise<Tokens> => {
      const clientId = await aClient();
      return toTokens(clientId, await exchange(clientId, await consent(clientId, access)));
    },
    useTools: async (token: string): Promise<number> => {
      const { status } = await call('/mcp', { headers: { authorization: `Bearer ${token}` } });
      return status;
    },
    audited: async (action: string) => {
      await audit.seal();
      return auditLog.list({ action }, { offset: 0, limit: 10 });
    },
  };
}
