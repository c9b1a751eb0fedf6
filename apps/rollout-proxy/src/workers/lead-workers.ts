import type { Logger } from '@weir/service-kit';
import { listenHttp, startService, waitForStopSignal } from '@weir/service-kit';
import { LRUCache } from 'lru-cache';
import { systemClock } from '../clock';
import type { Config } from '../config';
import { maxBrowserSessions, resolveAdminKey, type BrowserSession } from '../features/access';
import { openSessionFiles } from '../features/sessions';
import { firstSteps } from '../features/system/first-steps';
import { lockFolder } from '../journal/folder-lock';
import { noteWorkers } from '../journal/former-workers';
import { openStoredFiles, prepareFolder, sessionFilesOptions } from '../stored-files';
import { answerCalls, isKind, type Connection } from './calls';
import { createGroup, type Group } from './group';
import { openRegistry, type Registry, type WorkerCalls } from './registry';
import type { GroupCalls, LeaderMessage, WorkerMessage } from './worker-link';

export interface LeadOptions {
  readonly config: Config;
  /** The environment of the workers. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program that this process executes. */
  readonly program: string;
  readonly logger: Logger;
  readonly print: (text: string) => void;
}

/** A worker is asked for the sessions that were started and got no call yet, so that they are ended when they idle. */
const lookMs = 10_000;

/** Runs the proxy as several processes until a signal; resolves with the exit code. */
export async function leadWorkers(options: LeadOptions): Promise<number> {
  const { logger, print } = options;
  let failed: Promise<never> | undefined;
  const service = await startService({
    logger,
    start: async (add) => {
      const { config } = options;
      const { host, dataFolder } = config;
      await prepareFolder(dataFolder);
      add(await lockFolder(dataFolder));
      const adminKey = await resolveAdminKey({ given: config.adminKey, host, dataFolder });
      const port = await findPort(config);
      const group = add(await createLedGroup(options, port));
      ({ failed } = group);
      print(firstSteps({ adminKey, ...(await group.start()) }));
    },
  });
  try {
    return await Promise.race([waitForStopSignal(service, process, logger), ...(failed === undefined ? [] : [failed])]);
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Workers share their port with whoever asks for that, so it is tried whether another program has it. */
async function findPort({ host, port }: Config): Promise<number> {
  const probe = await listenHttp({ listener: () => undefined, host, port, portSetting: 'ROLLOUT_PORT' });
  await probe.stop();
  return probe.port;
}

async function createLedGroup({ config, env, program, logger }: LeadOptions, port: number): Promise<Group> {
  const browsers = new LRUCache<string, BrowserSession>({ max: maxBrowserSessions });
  /** Empty until the registry is there, which tells the workers of changes. */
  const led: { group?: Group } = {};
  const tellAll = (message: LeaderMessage): void => led.group?.tellAll(message);
  // With a database, that is where the workers share their sessions.
  const registry = config.replicas === undefined ? await openFolderRegistry({ config, logger, tellAll }) : undefined;
  const group = createGroup({
    workers: config.workers,
    program,
    env: { ...env, ROLLOUT_PORT: String(port) },
    logger,
    onStarted: (number, connection) => {
      const ofGroup: GroupCalls = { readAllMetrics: () => group.readMetrics() };
      if (registry === undefined) answerCalls<GroupCalls>(connection, ofGroup);
      else answerCalls<GroupCalls & WorkerCalls>(connection, { ...ofGroup, ...registry.callsOf(number) });
      shareBrowsers(connection, browsers, tellAll);
    },
    onEnded: (number) => {
      registry?.leave(number).catch((error: unknown) => {
        logger.error({ worker: number, error }, 'the grants of a worker could not be released');
      });
    },
    onProcesses: (pids) => noteWorkers(config.dataFolder, pids),
  });
  led.group = group;
  return registry === undefined ? group : handOutSessions(group, registry);
}

/** The folder is that of a single process: the number of workers can be changed at every start. */
async function openFolderRegistry({
  config,
  logger,
  tellAll,
}: Pick<LeadOptions, 'config' | 'logger'> & { readonly tellAll: (message: LeaderMessage) => void }): Promise<Registry> {
  const { openLedger, answers, weightVersion, adapters } = await openStoredFiles({
    config,
    logger,
    clock: systemClock,
  });
  return openRegistry({
    files: await openSessionFiles(sessionFilesOptions(config, logger)),
    openLedger,
    answers,
    weightVersion,
    adapters,
    maxSessions: config.limits.sessions,
    onWorkers: (workers) => tellAll({ kind: 'workers', workers }),
    onOrphans: () => tellAll({ kind: 'orphans' }),
  });
}

/** Sessions that were stored before the workers started are taken over at once, the others after a while. */
function handOutSessions(group: Group, registry: Registry): Group {
  let timer: NodeJS.Timeout | undefined;
  return {
    name: group.name,
    failed: group.failed,
    tellAll: (message) => group.tellAll(message),
    tellOne: (message) => group.tellOne(message),
    readMetrics: () => group.readMetrics(),
    start: async () => {
      const first = await group.start();
      group.tellAll({ kind: 'orphans' });
      timer = setInterval(() => {
        if (registry.hasOrphans()) group.tellOne({ kind: 'orphans' });
      }, lookMs);
      return first;
    },
    stop: () => {
      clearInterval(timer);
      return group.stop();
    },
  };
}

/** A browser that has signed in at one worker is known to all, also to those that start later. */
function shareBrowsers(
  connection: Connection,
  browsers: LRUCache<string, BrowserSession>,
  tellAll: (message: LeaderMessage) => void,
): void {
  connection.onMessage((message) => {
    if (isKind<WorkerMessage, 'ready'>(message, 'ready')) {
      for (const session of browsers.values()) connection.send({ kind: 'browser', session });
    }
    if (!isKind<WorkerMessage, 'browser'>(message, 'browser')) return;
    browsers.set(message.session.tokenHash, message.session);
    tellAll({ kind: 'browser', session: message.session });
  });
}
