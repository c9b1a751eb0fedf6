import type { Logger } from '@weir/service-kit';
import type { Session } from '../../session';
import type { SessionStore } from './session-store';

export interface ExportedEvictionOptions {
  readonly store: Pick<SessionStore, 'all'>;
  readonly remove: (session: Session) => Promise<void>;
  readonly logger: Logger;
}

/**
 * Removes exported sessions, those started first first, until there is enough room: trainers that never acknowledge must
 * not fill the service. Their bytes and slots are free at once.
 */
export function createExportedEviction({ store, remove, logger }: ExportedEvictionOptions) {
  return (isEnough: () => boolean): void => {
    if (isEnough()) return;
    for (const session of store.all()) {
      if (isEnough()) return;
      if (session.status().state !== 'exported') continue;
      logger.warn({ sessionId: session.id }, 'limit reached: removed an export that was not acknowledged');
      remove(session).catch((error: unknown) =>
        logger.warn({ sessionId: session.id, error }, 'the journal of a removed session could not be deleted'),
      );
    }
  };
}
