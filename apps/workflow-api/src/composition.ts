import path from 'node:path';
import { isLoopbackHost, listenHttp, type HttpServer, type Logger, type StartResource } from '@weir/service-kit';
import type { Database } from '@weir/workflow-db';
import { systemClock } from './adapters/clock';
import { argon2Hasher } from './adapters/password-hasher';
import { systemRandom } from './adapters/random-source';
import { loadOrCreateSecret } from './adapters/secret-file';
import { createApp } from './app';
import type { Config } from './config';
import { createPrismaApiKeyRepository } from './features/api-keys';
import { createPrismaUserStore } from './features/users';
import { createWorkflowFeatures, type WorkflowFeatures } from './features/workflow-features';
import { createIdentity, openIdentity, type Identity } from './identity';
import { openStore } from './store';

export interface ServerOptions {
  readonly config: Config;
  readonly version: string;
  readonly migrationsFolder: string;
  /** File of the bundled parse worker. */
  readonly parserFile: string;
  /** The environment that steps get their allowed part of. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  /** Whether this process also carries runs out. */
  readonly withWorker: boolean;
  readonly logger: Logger;
}

export interface Server {
  readonly http: HttpServer;
  readonly workflow: WorkflowFeatures;
  readonly identity: Identity;
}

/** Starts everything one process of the service consists of. */
export async function startServer(options: ServerOptions, add: StartResource): Promise<Server> {
  const { config, logger } = options;
  const database = await openStore(options, add);
  const identity = await createConfiguredIdentity(config, database);
  const workflow = add(await createWorkflow(options, database));
  await workflow.start({ withWorker: options.withWorker });
  const app = createApp({
    basePath: config.basePath,
    trustedProxies: config.trustedProxies,
    guard: identity.guard,
    features: [identity, workflow],
    logger,
  });
  const http = add(await listenHttp({ listener: app, host: config.host, port: config.port }));
  if (config.auth.mode === 'none' && !isLoopbackHost(config.host)) {
    logger.warn({ host: config.host }, 'sign-in is switched off, and other machines can reach this server');
  }
  logger.info({ url: `${http.url}${config.basePath}`, withWorker: options.withWorker }, 'listening');
  return { http, workflow, identity };
}

async function createConfiguredIdentity(config: Config, database: Database): Promise<Identity> {
  if (config.auth.mode === 'none') return openIdentity;
  return createIdentity({
    users: createPrismaUserStore(database),
    apiKeys: createPrismaApiKeyRepository(database),
    hasher: argon2Hasher,
    jwtSecret:
      config.auth.jwtSecret ?? (await loadOrCreateSecret(path.join(config.home, 'auth', 'token_secret'), systemRandom)),
    tokenTtlSeconds: config.auth.tokenTtlSeconds,
    clock: systemClock,
    random: systemRandom,
  });
}

/** DAGs, runs and the runner of this installation; nothing of them is started yet. */
export function createWorkflow(
  {
    config,
    version,
    parserFile,
    hostEnvironment,
    logger,
  }: Pick<ServerOptions, 'config' | 'version' | 'parserFile' | 'hostEnvironment' | 'logger'>,
  database: Database,
): Promise<WorkflowFeatures> {
  return createWorkflowFeatures({
    database,
    parserFile,
    clock: systemClock,
    random: systemRandom,
    logger,
    version,
    hostEnvironment,
    passthrough: config.steps.passthrough,
    defaultShell: config.steps.defaultShell,
    basePath: config.basePath,
    coordinatorUrl: config.coordinatorUrl,
    dagsFolder: config.dags.folder,
    timeZone: config.timeZone,
    queues: config.queues,
    databaseUrl: config.database.url,
    baseConfig: config.baseConfig,
    logFolder: config.logs.folder,
    dataFolder: config.data.folder,
  });
}
