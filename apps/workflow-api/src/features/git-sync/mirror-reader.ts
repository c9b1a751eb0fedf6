import type { SyncConfig } from './sync-config';
import { withMirror, type OpenMirrorPorts } from './open-mirror';
import type { SyncSettings } from '../../config/sync-settings';
import type { WithSession } from './sync-session';

/** Reads contents of the repository by their hashes; those that the repository no longer has are missing. */
export type MirrorReader = (settings: SyncSettings, hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export interface MirrorReaderPorts extends OpenMirrorPorts {
  readonly config: SyncConfig;
  readonly withSession: WithSession;
  readonly stopping: AbortSignal;
}

/** Commits that were fetched on another machine are fetched here too. */
export function createMirrorReader(ports: MirrorReaderPorts): MirrorReader {
  const { stopping, withSession } = ports;
  return async (settings, hashes) => {
    const wanted = [...new Set(hashes)];
    const here = await withMirror(ports, { settings, secrets: {}, signal: stopping }, (mirror) =>
      mirror.readTexts(wanted),
    );
    if (here.size === wanted.length) return here;
    return withSession(async ({ mirror }) => {
      await mirror.fetch();
      return mirror.readTexts(wanted);
    });
  };
}
