import { randomBytes, randomUUID } from 'node:crypto';
import { listenHttp, Secret } from '@weir/service-kit';
import { createManualClock, createRecordingLogger, type ManualClock, type RecordingLogger } from '@weir/test-kit';
import type { UserRole } from '@weir/workflow-contract';
import { systemTimer } from '@weir/workflow-engine/model';
import { unaudited } from '../access/audited-operation';
import { systemRandom, type RandomSource } from '../adapters/random-source';
import { createApp } from '../app';
import { createIdentity } from '../identity';
import type { Bind } from '../access/bind';
import { createHostRules } from '../browser-access';
import { createLocalKey, createSealer } from '../encryption';
import { renderError } from '../failures/error-body';
import { createAuditTrail, createInMemoryAuditLogRepository, type AuditTrail } from '../features/audit';
import { createInMemoryApiKeyRepository, type ApiKeyRepository } from '../features/api-keys';
import { createInMemoryBrowserSessionRepository } from '../features/browser-sessions';
import { createJobSignIn } from '../features/job-sign-in/authenticate-job';
import { createInMemoryChatClientRepository } from '../features/chat-clients';
import type { ApiKey } from '../features/api-keys/api-key';
import { createInMemorySecondFactorRepository } from '../features/second-factor';
import { createInMemoryUserStore, type UserStore } from '../features/users';
import type { User } from '../access/user';
import { refuseOtherNodes, type PassOn } from '../features/remote-nodes';
import type { Auth, AuthPorts } from '../features/auth';
import { createCountingHasher, type CountingHasher } from './counting-hasher';
import { aKeyPair, aUser } from './identity-builders';
import { createInlineEvaluator } from './inline-evaluator';
import { createSender, type Send } from './send';

export const testPassword = 'a rather long sentence';
export const testSecret = new Secret('the-signing-key-of-every-spec-0123456789');

export interface TestApiOptions {
  readonly users?: UserStore;
  readonly apiKeys?: ApiKeyRepository;
  readonly random?: RandomSource;
  /** Bound after the routes of users, keys and sign-in. */
  readonly features?: readonly { bindRoutes(bind: Bind): void }[];
  /** Replaces the identity over `users` and `apiKeys`. */
  readonly identity?: Auth;
  readonly trustedProxies?: readonly string[];
  readonly setupToken?: Secret;
  /** Replaces the audit trail in memory. */
  readonly audit?: AuditTrail;
  /** Default: there are no remote nodes. */
  readonly passOn?: PassOn;
  readonly jobSignIn?: AuthPorts['jobSignIn'];
  readonly externalSignIn?: AuthPorts['externalSignIn'];
  readonly evaluator?: AuthPorts['evaluator'];
  /** The address at which people reach the server. Default: that of the request. */
  readonly publicUrl?: string;
  /** The descriptions of chat clients by their addresses. */
  readonly clientDocuments?: Readonly<Record<string, unknown>>;
}

export interface TestApi {
  readonly url: string;
  readonly users: UserStore;
  readonly apiKeys: ApiKeyRepository;
  readonly hasher: CountingHasher;
  /** Starts at the present time; tokens use the system's time, everything else uses this clock. */
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
  /** Calls operations below `/api/v1`. */
  readonly send: Send;
  /** Stores a user whose password is `testPassword`. */
  readonly addUser: (values?: Partial<User>) => Promise<User>;
  /** Signs a user in through the API and returns the token. */
  readonly signIn: (user: Pick<User, 'username'>, password?: string) => Promise<string>;
  /** Creates a token of a new user with this role. */
  readonly createToken: (role: UserRole) => Promise<string>;
  /** Stores an API key; `key` is the value that a caller presents. */
  readonly addApiKey: (values?: Partial<ApiKey>) => Promise<{ readonly apiKey: ApiKey; readonly key: string }>;
  readonly stop: () => Promise<void>;
}

/** Creates the application as composed in production, over stores in memory, listening on a free port. */
export async function createTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { users = createInMemoryUserStore(), apiKeys = createInMemoryApiKeyRepository() } = options;
  const { random = systemRandom, features = [], trustedProxies = ['loopback'], setupToken } = options;
  const { passOn = refuseOtherNodes, publicUrl } = options;
  const { externalSignIn = { oidc: [], proxy: undefined }, evaluator = createInlineEvaluator() } = options;
  const hasher = createCountingHasher();
  const clock = createManualClock(new Date());
  const logger = createRecordingLogger();
  const identity =
    options.identity ??
    createIdentity({
      users,
      apiKeys,
      hasher,
      jwtSecret: testSecret,
      setupToken,
      tokenTtlSeconds: 3600,
      clock,
      random,
      sessions: createInMemoryBrowserSessionRepository(),
      chatClients: createInMemoryChatClientRepository(),
      fetchDocument: (address) => Promise.resolve(options.clientDocuments?.[address]),
      clientAddress: { publicUrl, listenHost: '127.0.0.1', hasUserInterface: true },
      basePath: '',
      jobSignIn: options.jobSignIn ?? createJobSignIn({ issuers: [], fetch, clock }),
      secondFactors: createInMemorySecondFactorRepository(),
      sealer: createSealer(() => Promise.resolve([createLocalKey(randomBytes(32))])),
      externalSignIn,
      evaluator,
    });
  const audit =
    options.audit ??
    createAuditTrail({
      auditLog: createInMemoryAuditLogRepository(),
      auditRetentionMs: undefined,
      clock,
      random,
      logger,
      timer: systemTimer,
    });
  const app = createApp({
    audit,
    basePath: '',
    trustedProxies,
    hostRules: createHostRules({ listenHost: '127.0.0.1', allowed: ['weir.example.com'] }),
    guard: identity.guard,
    passOn,
    features: [identity, ...features],
    signInPages: identity.createPages?.({ audit, logger }),
    chatClients: identity.chatClients,
    mcpVersion: '0.0.0',
    logger,
  });
  const server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0, renderClientError: renderError });
  const send = createSender(`${server.url}/api/v1`);

  const addUser = async (values: Partial<User> = {}): Promise<User> => {
    const user = aUser({ id: randomUUID(), passwordHash: await hasher.hash(testPassword), ...values });
    await users.insert(user);
    return user;
  };
  const signIn = async ({ username }: Pick<User, 'username'>, password = testPassword): Promise<string> => {
    const { status, body } = await send('POST /auth/login', { body: { username, password } });
    if (status !== 200) throw new Error(`The sign-in of ${username} was answered ${status}: ${JSON.stringify(body)}`);
    return String(body.token);
  };
  return {
    url: server.url,
    users,
    apiKeys,
    hasher,
    clock,
    logger,
    send,
    addUser,
    signIn,
    createToken: async (role) => signIn(await addUser({ role, username: `${role}-${randomUUID()}` })),
    addApiKey: async (values = {}) => {
      const pair = aKeyPair({ id: randomUUID(), name: randomUUID(), ...values });
      await apiKeys.insert(pair.apiKey, unaudited);
      return pair;
    },
    stop: async () => {
      await server.stop();
      await audit.stop();
    },
  };
}
