import type { Resource } from '@weir/service-kit';
import type { Bind } from '../../bind';
import { createAutomaticPull, type AutomaticPullPorts } from './automatic-pull';
import { createLocalFiles, type LocalFilesPorts } from './local-files';
import { createMirrorReader } from './mirror-reader';
import { createPushHook } from './push-hook';
import { createSyncConfig, type SyncConfigPorts } from './sync-config';
import { bindSyncRoutes } from './sync-routes';
import { createSyncService } from './sync-service';
import { createWithSession, type SyncSessionPorts } from './sync-session';

export interface GitSyncPorts
  extends
    SyncConfigPorts,
    LocalFilesPorts,
    Omit<SyncSessionPorts, 'config' | 'files' | 'stopping'>,
    Omit<AutomaticPullPorts, 'config' | 'files' | 'withSession' | 'gitSync'> {}

/** Files of DAGs and documents, synchronised with a repository. */
export interface GitSync extends Resource {
  bindRoutes(bind: Bind): void;
  /** Pulls at intervals, where the settings say so. */
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
