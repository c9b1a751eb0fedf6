import { workflowContract, type SecretResponse } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { describeChange } from '../audit';
import { globalScope, type SecretService } from './secret-service';
import type { StoredSecret } from './stored-secret';

export function bindSecretRoutes(bind: Bind, secrets: SecretService): void {
  bind(workflowContract.listSecrets, async ({ input: { query }, principal }) => {
    const page = await secrets.list(query.workspace, query, principal);
    return { secrets: page.secrets.map(present), total: page.total };
  });

  bind(workflowContract.createSecret, async ({ input: { body }, principal }) => {
    const created = present(await secrets.create(body, principal));
    describeChange({ resourceId: created.id, workspace: created.workspace, after: created });
    return created;
  });

  bind(workflowContract.getSecret, async ({ input: { params }, principal }) => {
    return present(await secrets.get(params.secretId, principal));
  });

  bind(workflowContract.updateSecret, async ({ input: { params, body }, principal }) => {
    return changed(await secrets.update(params.secretId, body, principal));
  });

  bind(workflowContract.deleteSecret, async ({ input: { params }, principal }) => {
    const removed = present(await secrets.remove(params.secretId, principal));
    describeChange({ workspace: removed.workspace, before: removed });
  });

  bind(workflowContract.writeSecretVersion, async ({ input: { params, body }, principal }) => {
    return changed(await secrets.writeVersion(params.secretId, body.value, principal));
  });

  bind(workflowContract.disableSecret, async ({ input: { params }, principal }) => {
    return changed(await secrets.disable(params.secretId, principal));
  });

  bind(workflowContract.enableSecret, async ({ input: { params }, principal }) => {
    return changed(await secrets.enable(params.secretId, principal));
  });
}

/** What it is afterwards goes into the audit log, where its value cannot. */
function changed(secret: StoredSecret): SecretResponse {
  const after = present(secret);
  describeChange({ workspace: after.workspace, after });
  return after;
}

function present(secret: StoredSecret): SecretResponse {
  const { id, workspace = globalScope, ref, description, currentVersion, lastResolvedAt, lastRotatedAt } = secret;
  return {
    id,
    workspace,
    ref,
    currentVersion,
    providerType: 'dagu-managed',
    hasValue: currentVersion > 0,
    ...(description === '' ? {} : { description }),
    status: secret.isDisabled ? 'disabled' : 'active',
    createdAt: secret.createdAt.toISOString(),
    updatedAt: secret.updatedAt.toISOString(),
    ...(lastResolvedAt === undefined ? {} : { lastResolvedAt: lastResolvedAt.toISOString() }),
    ...(lastRotatedAt === undefined ? {} : { lastRotatedAt: lastRotatedAt.toISOString() }),
  };
}
