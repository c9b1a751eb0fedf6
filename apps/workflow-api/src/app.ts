import {
  accessLog,
  createBinder,
  createJsonBodyReader,
  errorHandler,
  requestIds,
  serveUserInterface,
  unknownRoute,
  type AccessGuard,
  type Logger,
} from '@weir/service-kit';
import { boundedDagSchemaEndpoint, changesRights, dagSchemaEndpoint, workflowContract } from '@weir/workflow-contract';
import { boundedDagSchema, dagSchema } from '@weir/workflow-spec/editor';
import express, { Router, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Bind } from './access/bind';
import { refuseCrossSite, refuseForeignHost, type HostRules } from './browser-access';
import { translateDatabaseFailures } from './failures/database-failures';
import { renderError } from './failures/error-body';
import type { AuditTrail } from './features/audit';
import { notingNeeds, type Principal } from './access/principal';
import { readQueryToken } from './features/live';
import type { ChatClients } from './features/chat-clients';
import type { PassOn } from './features/remote-nodes';
import { serveMcp } from './mcp/serve-mcp';
import { readUsableBody, refuseUnusableAddress } from './adapters/text-rules';

/** Limits the body of a request: a spec of the longest length fits, however it is escaped. */
export const maxBodyBytes = 8 * 1024 * 1024;
/** Limits the body where no credential is needed. */
const maxPublicBodyBytes = 16 * 1024;

export interface AppOptions {
  readonly basePath: string;
  readonly trustedProxies: readonly string[];
  /** Missing where no browser can connect. */
  readonly hostRules?: HostRules;
  /** The version that the tools for models report; missing where they are not served. */
  readonly mcpVersion?: string;
  /** The folder of the built web interface; missing where it is not served. */
  readonly uiFolder?: string | undefined;
  /** Serves the pages of the sign-in with other providers; missing where there are none. */
  readonly signInPages?: RequestHandler | undefined;
  /** Missing where none can sign in. */
  readonly chatClients?: Pick<ChatClients, 'createPages' | 'findMetadataAddress'> | undefined;
  readonly guard: AccessGuard<Principal>;
  readonly audit: Pick<AuditTrail, 'openRecord'>;
  /** Serves the workers that have no database; missing where none can connect. */
  readonly remoteWorkers?: RequestHandler | undefined;
  /** Passes calls for other nodes on to them. */
  readonly passOn: PassOn;
  readonly features: readonly { bindRoutes(bind: Bind): void }[];
  readonly logger: Logger;
  /** Gets a line for each request. Default: `logger`. */
  readonly accessLogger?: Logger;
}

/** Creates the HTTP application, without I/O of its own, environment or listening. */
export function createApp(options: AppOptions): Express {
  const { basePath, trustedProxies, hostRules, uiFolder, logger, accessLogger = logger } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', trustedProxies.length === 0 ? false : [...trustedProxies]);
  app.use(requestIds());
  app.use(accessLog(accessLogger, () => performance.now()));
  app.use(helmet());
  if (hostRules !== undefined) app.use(refuseForeignHost(hostRules));
  const root = basePath === '' ? '/' : basePath;
  app.use(root, createRouter({ ...options, features: [{ bindRoutes: bindSchemaRoutes }] }));
  app.use(`${basePath}/api/v1`, apiRouter(options));
  if (options.mcpVersion !== undefined) app.use(`${basePath}/mcp`, mcpRouter(app, options, options.mcpVersion));
  if (options.chatClients !== undefined) app.use(options.chatClients.createPages(options));
  if (options.signInPages !== undefined) app.use(root, options.signInPages);
  if (uiFolder !== undefined) app.use(root, serveUserInterface({ folder: uiFolder, basePath }));
  app.use(unknownRoute());
  app.use(translateDatabaseFailures());
  app.use(errorHandler({ logger, render: renderError, challenge: 'Bearer realm="weir"' }));
  return app;
}

function apiRouter(options: AppOptions): Router {
  const { hostRules } = options;
  const router = Router({ caseSensitive: true });
  router.use((_req, res, next) => {
    // Answers hold secrets and change with every run.
    res.set('cache-control', 'no-store');
    next();
  });
  router.get(workflowContract.streamEvents.path, readQueryToken());
  router.use(refuseUnusableAddress());
  if (hostRules !== undefined) router.use(refuseCrossSite(hostRules));
  if (options.remoteWorkers !== undefined) router.use('/worker', options.remoteWorkers);
  // Express would answer with a list of methods as plain text.
  router.options('/{*path}', unknownRoute());
  router.use(createRouter(options));
  return router;
}

/** Serves the tools for models, which call the API of the same application. */
function mcpRouter(app: Express, options: AppOptions, version: string): Router {
  const { basePath, guard, hostRules, chatClients } = options;
  const router = Router({ caseSensitive: true });
  if (hostRules !== undefined) router.use(refuseCrossSite(hostRules));
  router.use(readQueryToken());
  const readBody = createJsonBodyReader({ maxBytes: maxBodyBytes });
  router.all(
    '/',
    serveMcp({
      listener: app,
      basePath,
      guard,
      findMetadataAddress: (host) => chatClients?.findMetadataAddress(host),
      readBody,
      version,
      load: () => import('./bundles/mcp.js'),
    }),
  );
  return router;
}

type RouterOptions = Pick<AppOptions, 'guard' | 'audit' | 'passOn' | 'features'>;

function createRouter({ guard, audit, passOn, features }: RouterOptions): Router {
  const router = Router({ caseSensitive: true });
  const bind = createBinder({
    router,
    guard: async (...call) => notingNeeds(await guard(...call)),
    readBody: readUsableBody(createJsonBodyReader({ maxBytes: maxBodyBytes })),
    readPublicBody: readUsableBody(createJsonBodyReader({ maxBytes: maxPublicBodyBytes })),
    createBodyReader: (maxBytes) => readUsableBody(createJsonBodyReader({ maxBytes })),
    refusesUnknownFields: changesRights,
    openRecord: audit.openRecord,
    passOn,
    describeRights: ({ kind, id, role, workspaceAccess, scopes }) =>
      JSON.stringify([kind, id, role, workspaceAccess, scopes]),
    getPrincipalId: (principal) => (principal.id === '' ? undefined : principal.id),
  });
  for (const feature of features) feature.bindRoutes(bind);
  return router;
}

/** Serves the JSON Schema without a credential: editors have none, and it says nothing about this installation. */
function bindSchemaRoutes(bind: Bind): void {
  bind(dagSchemaEndpoint, once(dagSchema));
  bind(boundedDagSchemaEndpoint, once(boundedDagSchema));
}

/** Builds the text at the first request: it takes longer than all other routes of a start together. */
function once(build: () => object): () => string {
  let text: string | undefined;
  return () => (text ??= `${JSON.stringify(build())}\n`);
}
