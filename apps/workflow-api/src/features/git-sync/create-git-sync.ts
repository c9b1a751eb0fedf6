import type { Logger } from '@weir/service-kit';
import type { ReadStoredSecret } from '@weir/workflow-engine';
import type { Clock, Timer } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { SpecReader } from '../../dag-parser';
import type { Sealer } from '../../encryption';
import type { AuditTrail } from '../audit';
import type { DagEditor, DagFileStore } from '../dags';
import type { Docs } from '../docs';
import type { GitSyncStore } from './git-sync-store';
import type { SyncDefaults } from '../../config/sync-settings';
import type { Resource } from '@weir/service-kit';
import type { Bind } from '../../access/bind';
import { createAutomaticPull } from './automatic-pull';
import { createLocalFiles } from './local-files';
import { createMirrorReader } from './mirror-reader';
import { createPushHook } from './push-hook';
import { createSyncConfig } from './sync-config';
import { bindSyncRoutes } from './sync-routes';
import { createSyncService } from './sync-service';
import { createWithSession } from './sync-session';

export interface GitSyncPorts {
  readonly gitSync: GitSyncStore;
  readonly gitSyncDefaults: SyncDefaults;
  readonly store: DagFileStore;
  readonly specs: SpecReader;
  readonly editor: DagEditor;
  readonly documents: Docs;
  readonly audit: AuditTrail;
  readonly readStoredSecret: ReadStoredSecret;
  readonly sealer: Sealer;
  /** Whether other processes may work on the same data. */
  readonly isShared: boolean;
  /** The environment of the server; git gets the allowed part of it. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: RandomSource;
  readonly logger: Logger;
}

/** Synchronises files of DAGs and documents with a repository. */
export interface GitSync extends Resource {
  bindRoutes(bind: Bind): void;
  /** Pulls at intervals if the settings say so. */
  start(): void;
}

export function createGitSync(ports: GitSyncPorts): GitSync {
  const stopping = new AbortController();
  const config = createSyncConfig(ports);
  const files = createLocalFiles(ports);
  const session = { ...ports, config, files, stopping: stopping.signal };
  const withSession = createWithSession(session);
  const automaticPull = createAutomaticPull({ ...session, withSession });
  const readMirror = createMirrorReader({ ...session, withSession });
  const onConfigured = () => automaticPull.wake();
  const service = createSyncService({ ...session, withSession, readMirror, onConfigured });
  const hook = createPushHook({ ...session, automaticPull });
  return {
    name: 'git sync',
    bindRoutes: (bind) => bindSyncRoutes(bind, service, hook),
    start: () => automaticPull.start(),
    stop: async () => {
      stopping.abort();
      await automaticPull.stop();
    },
  };
}
