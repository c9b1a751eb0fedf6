import type { SyncConfigUpdateRequest, SyncResultResponse } from '@weir/workflow-contract/schemas';
import { isAppError } from '@weir/foundation';
import type { AuditedOperation, Requester } from '../../access/audited-operation';
import { deleteItems, type Deletion } from './delete-items';
import { moveItem, type Move } from './move-item';
import { withMirror } from './open-mirror';
import { publish, type Publication, type Published } from './publish';
import { presentPull, pull, type Pulled } from './pull';
import { createStatusReader, type StatusPorts } from './read-status';
import { discardChanges, forgetItem, forgetMissing } from './restore-items';
import type { SyncSessionPorts, WithSession } from './sync-session';

export interface SyncServicePorts extends SyncSessionPorts, StatusPorts {
  readonly withSession: WithSession;
  /** Called when the settings have changed. */
  readonly onConfigured: () => void;
}

export type SyncService = ReturnType<typeof createSyncService>;

/** Limits the ids that an entry of the audit log names. */
const maxNamed = 200;

/** What people do with the files that are synchronised; each change is recorded. */
export function createSyncService(ports: SyncServicePorts) {
  const { config, files, clock, withSession, onConfigured } = ports;
  const now = () => clock.now();
  return {
    ...createStatusReader(ports),
    getConfig: () => config.present(),

    async updateConfig(change: SyncConfigUpdateRequest, audit: AuditedOperation) {
      const { before, after } = await config.update(change);
      onConfigured();
      await audit.record({ resourceId: 'settings', before, after });
      return after;
    },

    async pull(requester: Requester): Promise<SyncResultResponse> {
      const pulled = await withSession((session) => pull(session, files, requester));
      await requester.audit.record({ resourceId: 'files', after: describePull(pulled) });
      return presentPull(pulled, now());
    },

    async publish(publication: Publication): Promise<SyncResultResponse> {
      const published = await withSession((session) => publish(session, { files, now: now() }, publication));
      const { commit, synced } = published;
      await publication.audit.record({ ...only(publication.itemIds), after: { commit, items: named(synced) } });
      return presentPublication(published, now());
    },

    async discard(itemId: string, { principal, audit }: Requester): Promise<void> {
      await withSession((session) => discardChanges(session, files, { itemId, principal, audit }));
      await audit.record({ resourceId: itemId });
    },

    async forget(itemId: string, { principal, audit }: Requester): Promise<void> {
      await withSession((session) => forgetItem(session, files, { itemId, principal, audit }));
      await audit.record({ resourceId: itemId });
    },

    async cleanUp({ principal, audit }: Requester): Promise<readonly string[]> {
      const forgotten = await withSession((session) => forgetMissing(session, files, { principal, audit }));
      await audit.record({ resourceId: 'files', after: { items: named(forgotten) } });
      return forgotten;
    },

    async remove(deletion: Deletion): Promise<readonly string[]> {
      const deleted = await withSession((session) => deleteItems(session, { files, now: now() }, deletion));
      await deletion.audit.record({ ...only(deletion.itemIds), before: { items: named(deleted) } });
      return deleted;
    },

    async move(move: Move, audit: AuditedOperation): Promise<void> {
      await withSession((session) => moveItem(session, { files, now: now() }, move));
      const { itemId, newItemId } = move;
      await audit.record({ resourceId: itemId, before: { itemId }, after: { itemId: newItemId } });
    },

    testConnection: () => testConnection(ports),
  };
}

/** Describes a pull for the audit log. */
export function describePull({ commit, synced, conflicts }: Pulled): object {
  return { commit, items: named(synced), conflicts: named(conflicts) };
}

function presentPublication({ commit, synced, conflicts }: Published, now: Date): SyncResultResponse {
  const left = conflicts.length === 0 ? '' : `, ${conflicts.length} in conflict`;
  return {
    success: conflicts.length === 0,
    message: commit === undefined ? `Nothing to publish${left}.` : `${synced.length} published${left}.`,
    synced: [...synced],
    conflicts: [...conflicts],
    timestamp: now.toISOString(),
  };
}

const connectionTimeoutMs = 30_000;

async function testConnection(ports: SyncServicePorts) {
  const settings = await ports.config.readSettings();
  if (!settings.enabled) return { success: false, error: 'Git sync is off.' };
  const { branch } = settings;
  const limit = AbortSignal.timeout(connectionTimeoutMs);
  const signal = AbortSignal.any([ports.stopping, limit]);
  try {
    const secrets = await ports.config.readCredentials(settings);
    const commit = await withMirror(ports, { settings, secrets, signal }, (mirror) => mirror.findCommit());
    const found = commit === undefined ? 'does not exist yet: the first publication creates it' : `is at ${commit}`;
    return { success: true, message: `The repository was reached. The branch ${branch} ${found}.` };
  } catch (error) {
    if (isAppError(error)) return { success: false, error: error.message };
    if (!limit.aborted) throw error;
    return { success: false, error: `There was no answer within ${connectionTimeoutMs / 1000} seconds.` };
  }
}

function only(itemIds: readonly string[] | undefined): { readonly resourceId: string } {
  const [first] = itemIds ?? [];
  return { resourceId: itemIds?.length === 1 && first !== undefined ? first : 'files' };
}

function named(ids: readonly string[]): readonly string[] {
  return ids.length <= maxNamed ? ids : [...ids.slice(0, maxNamed), `and ${ids.length - maxNamed} more`];
}
