import { workflowContract } from '@weir/workflow-contract';
import type { ListedSecret, SecretResponse } from '@weir/workflow-contract/schemas';
import type { Bind } from '../../access/bind';
import type { AuditedOperation } from '../../access/audited-operation';
import { globalScope, type SecretService } from './secret-service';
import type { FindSecretUses, SecretUses } from './secret-uses';
import type { StoredSecret } from './stored-secret';

export function bindSecretRoutes(bind: Bind, secrets: SecretService, findUses: FindSecretUses): void {
  bind(workflowContract.listSecrets, async ({ input: { query }, principal, signal }) => {
    const page = await secrets.list(query.workspace, query, principal);
    const uses = await findUses(page.secrets, principal, signal);
    const listed = page.secrets.map((secret) => ({ ...present(secret), ...presentUses(secret, uses.get(secret)) }));
    return { secrets: listed, total: page.total };
  });

  bind(workflowContract.createSecret, async ({ input: { body }, principal, audit }) => {
    const created = present(await secrets.create(body, principal));
    await audit.record({ resourceId: created.id, workspace: created.workspace, after: created });
    return created;
  });

  bind(workflowContract.getSecret, async ({ input: { params }, principal }) => {
    return present(await secrets.get(params.secretId, principal));
  });

  bind(workflowContract.updateSecret, async ({ input: { params, body }, principal, audit }) => {
    return recordChanged(await secrets.update(params.secretId, body, principal), audit);
  });

  bind(workflowContract.deleteSecret, async ({ input: { params }, principal, audit }) => {
    const removed = present(await secrets.remove(params.secretId, principal));
    await audit.record({ workspace: removed.workspace, before: removed });
  });

  bind(workflowContract.writeSecretVersion, async ({ input: { params, body }, principal, audit }) => {
    return recordChanged(await secrets.writeVersion(params.secretId, body.value, principal), audit);
  });

  bind(workflowContract.disableSecret, async ({ input: { params }, principal, audit }) => {
    return recordChanged(await secrets.disable(params.secretId, principal), audit);
  });

  bind(workflowContract.enableSecret, async ({ input: { params }, principal, audit }) => {
    return recordChanged(await secrets.enable(params.secretId, principal), audit);
  });
}

/** The audit log gets the changed secret, but never its value. */
async function recordChanged(secret: StoredSecret, audit: AuditedOperation): Promise<SecretResponse> {
  const after = present(secret);
  await audit.record({ workspace: after.workspace, after });
  return after;
}

function presentUses(
  { ref }: StoredSecret,
  { dags, total }: SecretUses = { dags: [], total: 0 },
): Pick<ListedSecret, 'dags' | 'dagCount'> {
  return {
    dags: dags.map(({ fileName, dag, secrets }) => ({
      fileName,
      name: dag.name,
      ...(dag.workspace === undefined ? {} : { workspace: dag.workspace }),
      variables: secrets
        .filter((use) => use.ref === ref)
        .map(({ variable, version }) => ({ name: variable, ...(version === undefined ? {} : { version }) })),
    })),
    dagCount: total,
  };
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
