import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { PushHook } from './push-hook';
import type { SyncService } from './sync-service';

export function bindSyncRoutes(bind: Bind, sync: SyncService, hook: PushHook): void {
  bindConfigRoutes(bind, sync, hook);
  bindItemRoutes(bind, sync);

  bind(workflowContract.getSyncStatus, ({ principal }) => {
    return sync.status(principal);
  });

  bind(workflowContract.syncPull, ({ principal, audit }) => {
    return sync.pull({ principal, audit });
  });

  bind(workflowContract.syncPublishAll, ({ input: { body }, principal, audit }) => {
    return sync.publish({ ...body, isForced: false, failsOnConflict: false, principal, audit });
  });

  bind(workflowContract.syncDeleteMissing, async ({ input: { body }, principal, audit }) => {
    return presentDeleted(await sync.remove({ ...body, isForced: false, principal, audit }));
  });

  bind(workflowContract.syncDeleteBatch, async ({ input: { body }, principal, audit }) => {
    const { force, ...rest } = body;
    return presentDeleted(await sync.remove({ ...rest, isForced: force, principal, audit }));
  });

  bind(workflowContract.syncCleanup, async ({ principal, audit }) => {
    const forgotten = await sync.cleanUp({ principal, audit });
    return { forgotten: [...forgotten], message: `${forgotten.length} forgotten.` };
  });
}

function bindConfigRoutes(bind: Bind, sync: SyncService, hook: PushHook): void {
  bind(workflowContract.getSyncConfig, () => {
    return sync.getConfig();
  });

  bind(workflowContract.updateSyncConfig, ({ input: { body }, audit }) => {
    return sync.updateConfig(body, audit);
  });

  bind(workflowContract.syncTestConnection, () => {
    return sync.testConnection();
  });

  bind(workflowContract.receiveSyncWebhook, async ({ input, headers, getRawBody }) => {
    await hook.receive({ headers, body: getRawBody(), json: input.body });
    return { message: 'The server pulls.' };
  });
}

function bindItemRoutes(bind: Bind, sync: SyncService): void {
  bind(workflowContract.getSyncItemDiff, ({ input: { params }, principal }) => {
    return sync.diff(params.itemId, principal);
  });

  bind(workflowContract.publishSyncItem, ({ input: { params, body }, principal, audit }) => {
    const { force: isForced, message } = body;
    return sync.publish({ itemIds: [params.itemId], message, isForced, failsOnConflict: true, principal, audit });
  });

  bind(workflowContract.discardSyncItemChanges, async ({ input: { params }, principal, audit }) => {
    await sync.discard(params.itemId, { principal, audit });
    return { message: `"${params.itemId}" is as it is in the repository.` };
  });

  bind(workflowContract.forgetSyncItem, async ({ input: { params }, principal, audit }) => {
    await sync.forget(params.itemId, { principal, audit });
    return { message: `"${params.itemId}" was forgotten.` };
  });

  bind(workflowContract.deleteSyncItem, async ({ input: { params, body }, principal, audit }) => {
    const { message, force: isForced } = body;
    await sync.remove({ itemIds: [params.itemId], message, isForced, principal, audit });
    return { message: `"${params.itemId}" was deleted.` };
  });

  bind(workflowContract.moveSyncItem, async ({ input: { params, body }, principal, audit }) => {
    const { newItemId, message, force: isForced } = body;
    await sync.move({ itemId: params.itemId, newItemId, message, isForced, principal }, audit);
    return { message: `"${params.itemId}" is now "${newItemId}".` };
  });
}

function presentDeleted(deleted: readonly string[]) {
  return { deleted: [...deleted], message: `${deleted.length} deleted.` };
}
