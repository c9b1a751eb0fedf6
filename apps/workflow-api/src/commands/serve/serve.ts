import { createLogger, limitHeapGrowth, startService, waitForStopSignal, type Logger } from '@weir/service-kit';
import { limitYoungHeap } from '../../adapters/limit-young-heap';
import { releaseIdleMemory } from '../../adapters/release-idle-memory';
import { firstExample } from '../../examples/examples';
import { writeExamples } from '../../examples/write-examples';
import type { Auth } from '../../features/auth';
import { prepareHome } from '../../installation/home-folder';
import type { Role } from '../../roles';
import { createServer, type Server } from '../../server';
import type { StoreCommand } from '../shared/program-host';
import { welcomeText, type SignInState } from './welcome-text';

export interface ServeOptions extends StoreCommand {
  readonly roles: readonly Role[];
}

/** Limits the time for stopping everything once the runs have ended or are given back. */
const stopMs = 30_000;

/** Runs the server until a stop signal comes; returns the exit code. Rejects when the start fails. */
export async function serve(options: ServeOptions): Promise<number> {
  const { config, roles, print, signals, serverLogDestination: destination } = options;
  const logger = createLogger({ ...config.log, ...(destination && { destination }) });
  limitYoungHeap();
  const service = await startService({
    logger,
    stopTimeoutMs: stopMs + config.worker.drainMs,
    start: async (add) => {
      await prepareHome(config.home);
      if (roles.includes('api') && roles.includes('worker') && config.dags.writeExamples) {
        await writeExamples(config.dags.folder);
      }
      const server = await createServer({ ...options, logger }, add);
      limitHeapGrowth();
      add(releaseIdleMemory());
      if (config.log.format !== 'json') print(await describeStart(options, server));
      else await logSetup(server, logger);
    },
  });
  return waitForStopSignal(service, signals, logger);
}

/** Describes the started server for a person. */
async function describeStart({ config, roles }: ServeOptions, server: Server): Promise<string> {
  const { application, identity, http } = server;
  if (http === undefined) {
    if (roles.includes('scheduler')) return `Weir follows the schedules of ${config.dags.folder}`;
    return 'Weir executes queued runs';
  }
  const hasExample = await application.files.has(firstExample);
  return welcomeText({
    url: `${http.url}${config.basePath}`,
    hasUserInterface: config.hasUserInterface,
    signIn: await readSignInState(config.auth.mode, identity),
    setupToken: identity.setupToken?.reveal(),
    isWorker: roles.includes('worker'),
    example: hasExample ? firstExample : undefined,
  });
}

/** The token itself is not logged, because more people read log files. */
async function logSetup({ identity }: Server, logger: Logger): Promise<void> {
  if (identity.setupToken === undefined || !(await identity.needsSetup())) return;
  logger.warn({}, 'the first admin is created with the token in auth/setup_token of the home folder');
}

async function readSignInState(mode: 'builtin' | 'none', identity: Auth): Promise<SignInState> {
  if (mode === 'none') return 'off';
  return (await identity.needsSetup()) ? 'no_users' : 'ready';
}
