import type { RequestListener } from 'node:http';
import path from 'node:path';
import { isLoopbackHost } from '@weir/foundation';
import { listenHttp, type HttpServer, type Secret, type StartResource } from '@weir/service-kit';
import type { Database } from '@weir/workflow-db';
import { createPermits } from '@weir/workflow-engine';
import { systemClock } from './adapters/clock';
import { operatorName } from './adapters/operator-name';
import { argon2Hasher } from './adapters/password-hasher';
import { systemRandom } from './adapters/random-source';
import { loadOrCreateSecret } from './adapters/secret-file';
import { createApp, type AppOptions } from './app';
import { createHostRules } from './browser-access';
import { createApplication, type Application, type ApplicationOptions } from './composition';
import { createIdentity } from './identity';
import type { Config } from './config';
import { createSealer, loadMasterKeys, type Sealer } from './encryption';
import { renderError } from './failures/error-body';
import { createPrismaApiKeyRepository } from './features/api-keys';
import { createPrismaBrowserSessionRepository } from './features/browser-sessions';
import { createPrismaChatClientRepository, fetchClientDocument } from './features/chat-clients';
import { createLocalGuard, openAuth, type Auth } from './features/auth';
import { loadOidcProviders } from './features/external-sign-in';
import { loadJobSignIn } from './features/job-sign-in';
import { permitPublicMetrics } from './features/metrics';
import { createPrismaSecondFactorRepository } from './features/second-factor';
import { createPrismaUserStore } from './features/users';
import { controlSocket, listenLocally } from './local-api';
import { createOutputEvaluator, type OutputEvaluator } from './output-thread';
import { createPlatform, type Platform } from './platform';
import type { Role } from './roles';
import { createObjectStorage, createRunFiles, type ObjectStoreOptions, type RunFileOptions } from './run-files';
import { openStepIsolation } from './features/worker/step-isolation';
import { openStore, type StoreOptions } from './installation/store';
import { applyWorkerTokens } from './installation/worker-tokens';

const maxRoleThreads = 2;

export interface ServerOptions extends ApplicationOptions, Pick<StoreOptions, 'migrationsFolder'> {
  /** The folder of the built web interface. */
  readonly uiFolder: string | undefined;
  /** File of the bundled parse worker. */
  readonly parserFile: string;
}

export interface Server {
  readonly application: Application;
  readonly identity: Auth;
  /** Undefined without the role `api`. */
  readonly http: HttpServer | undefined;
}

/**
 * Starts one process of the service in these roles. The started resources are passed to `add`, which stops them in
 * reverse order.
 */
export async function createServer(
  options: ServerOptions & { readonly roles: readonly Role[] },
  add: StartResource,
): Promise<Server> {
  const { logger, roles } = options;
  const database = await openStore({ ...options, isServer: true }, add);
  const config = await applyWorkerTokens(options, database);
  const stepIsolation = roles.includes('worker') ? await openStepIsolation(options) : undefined;
  const application = await createDatabaseApplication({ ...options, config, stepIsolation }, database, add);
  const identity = await createConfiguredIdentity({ ...options, config }, database);
  await application.start(roles);
  const features = [identity, application];
  const { audit, passOn } = application;
  // On PostgreSQL, the processes of an installation may be on several machines.
  if (database.provider === 'sqlite') await serveLocally({ config, logger, features, audit, passOn }, add);
  const http = roles.includes('api')
    ? await serve(
        {
          ...options,
          features,
          audit,
          passOn,
          remoteWorkers: application.remoteWorkers,
          guard: createGuard(config, identity),
          uiFolder: servedUi(options),
          signInPages: identity.createPages?.({ audit, logger }),
          chatClients: identity.chatClients,
        },
        add,
      )
    : undefined;
  logger.info({ roles, ...(http === undefined ? {} : { url: `${http.url}${config.basePath}` }) }, 'listening');
  return { application, identity, http };
}

/** Creates the application over the database of this installation, without starting it. */
export async function createDatabaseApplication(
  options: ServerOptions & Pick<Platform, 'stepIsolation'>,
  database: Database,
  add: StartResource,
): Promise<Application> {
  const { config, parserFile, stepIsolation } = options;
  const sealer = createConfiguredSealer(config);
  const databaseUrl = config.database.url;
  const runFiles = createRunFiles(toRunFileOptions(config));
  const platform = createPlatform({
    database,
    databaseUrl,
    parserFile,
    stepIsolation,
    sealer,
    runFiles,
    objects: config.store && createObjectStorage(toObjectStoreOptions(config.store)),
    maxFailures: config.maxFailures,
  });
  return add(await createApplication(options, platform));
}

function createConfiguredSealer(config: Config): Sealer {
  return createSealer(() => loadMasterKeys(config, systemRandom));
}

function toRunFileOptions({ store }: Config): RunFileOptions {
  return store === undefined ? { kind: 'files' } : { kind: 's3', ...toObjectStoreOptions(store) };
}

function toObjectStoreOptions({ key, ...rest }: NonNullable<Config['store']>): ObjectStoreOptions {
  return { ...rest, key: key && { id: key.id, secret: key.secret.reveal() } };
}

type ServeOptions = Pick<ServerOptions, 'config' | 'logger'> & Pick<AppOptions, 'features' | 'audit' | 'passOn'>;

type PublicOptions = ServeOptions &
  Pick<ServerOptions, 'version'> &
  Pick<AppOptions, 'guard' | 'uiFolder' | 'signInPages' | 'chatClients' | 'remoteWorkers'>;

/** Serves the API over the control socket: everyone who can open it is an admin. */
export async function serveLocally(options: ServeOptions, add: StartResource): Promise<void> {
  const { config, logger } = options;
  add(await listenLocally({ socket: controlSocket(config), listener: createLocalApp(options), logger }));
}

/** Creates the same API for commands of this machine. */
export function createLocalApp({ logger, features, audit, passOn }: Omit<ServeOptions, 'config'>): RequestListener {
  const guard = createLocalGuard(operatorName());
  // Commands poll, so their requests are not logged.
  const accessLogger = { ...logger, info: () => undefined };
  return createApp({ basePath: '', trustedProxies: [], guard, features, audit, passOn, logger, accessLogger });
}

async function serve({ version, config, logger, ...options }: PublicOptions, add: StartResource): Promise<HttpServer> {
  const { basePath, trustedProxies, host, port, allowedHosts } = config;
  const hostRules = createHostRules({ listenHost: host, allowed: allowedHosts });
  const listener = createApp({ ...options, basePath, trustedProxies, hostRules, logger, mcpVersion: version });
  const http = add(
    await listenHttp({ listener, host, port, portSetting: 'WEIR_PORT', renderClientError: renderError }),
  );
  if (config.auth.mode === 'none' && !isLoopbackHost(host)) {
    logger.warn({ host }, 'sign-in is disabled, and other machines can reach this server');
  }
  return http;
}

/** Returns `undefined` where the web interface is switched off, or was not built. */
function servedUi({ config, uiFolder }: ServerOptions): string | undefined {
  return config.hasUserInterface ? uiFolder : undefined;
}

function createGuard({ metrics }: Config, { guard }: Auth): Auth['guard'] {
  return metrics.isPublic ? permitPublicMetrics(guard) : guard;
}

async function createConfiguredIdentity(options: ServerOptions, database: Database): Promise<Auth> {
  const { config, parserFile } = options;
  const { auth, home, host, basePath, eventTargets } = config;
  if (auth.mode === 'none') return openAuth;
  const loadSecret = (name: string): Promise<Secret> => loadOrCreateSecret(path.join(home, 'auth', name), systemRandom);
  return createIdentity({
    users: createPrismaUserStore(database),
    apiKeys: createPrismaApiKeyRepository(database),
    sessions: createPrismaBrowserSessionRepository(database),
    secondFactors: createPrismaSecondFactorRepository(database),
    chatClients: createPrismaChatClientRepository(database),
    fetchDocument: (address) => fetchClientDocument(address, { allowedNetworks: [] }),
    basePath,
    clientAddress: {
      publicUrl: eventTargets.publicUrl,
      listenHost: host,
      hasUserInterface: servedUi(options) !== undefined,
    },
    sealer: createConfiguredSealer(config),
    externalSignIn: { oidc: await loadOidcProviders(config), proxy: config.proxySignIn },
    evaluator: createRoleEvaluator(parserFile),
    hasher: argon2Hasher,
    jwtSecret: auth.jwtSecret ?? (await loadSecret('token_secret')),
    setupToken: isLoopbackHost(host) ? undefined : await loadSecret('setup_token'),
    tokenTtlSeconds: auth.tokenTtlSeconds,
    clock: systemClock,
    random: systemRandom,
    jobSignIn: await loadJobSignIn(auth.jobTrustFile, systemClock),
  });
}

/** Sign-ins do not wait for the outputs of runs. */
function createRoleEvaluator(parserFile: string): OutputEvaluator {
  return createOutputEvaluator({
    workerFile: path.join(path.dirname(parserFile), 'output-worker.js'),
    permits: createPermits(maxRoleThreads),
  });
}
