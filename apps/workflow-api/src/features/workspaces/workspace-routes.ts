import { workflowContract } from '@weir/workflow-contract';
import type { WorkspaceResponse } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { Bind } from '../../access/bind';
import { canSee, requireRole } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { bindPermissionRoutes, type PermissionDependencies } from './permission-routes';
import { workspaceHasDocuments, workspaceMissing, type Workspace, type WorkspaceRepository } from './workspace';

export interface WorkspaceRoutesDependencies extends PermissionDependencies {
  readonly workspaces: WorkspaceRepository;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Whether documents belong to an existing or possible workspace of this name. */
  readonly hasDocuments: (name: string) => Promise<boolean>;
}

export function bindWorkspaceRoutes(bind: Bind, dependencies: WorkspaceRoutesDependencies): void {
  const { workspaces, clock, random, hasDocuments } = dependencies;
  // Documents belong to a workspace by their directory, so renaming a workspace must not move them to another one.
  const assertNoDocuments = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) if (await hasDocuments(name)) throw workspaceHasDocuments(name);
  };

  const findVisible = async (id: string, principal: Principal): Promise<Workspace> => {
    const found = await workspaces.findById(id);
    if (found === undefined || !canSee(principal, found.name)) throw workspaceMissing(id);
    return found;
  };

  bindPermissionRoutes(bind, dependencies);

  bind(workflowContract.listWorkspaces, async ({ principal }) => {
    const visible = (await workspaces.list()).filter(({ name }) => canSee(principal, name));
    return { workspaces: visible.map(present) };
  });

  bind(workflowContract.createWorkspace, async ({ input: { body }, principal, audit }) => {
    requireRole(principal, body.name, 'developer');
    await assertNoDocuments(body.name);
    const now = clock.now();
    const { name, description = '' } = body;
    const workspace = { id: random.uuid(), name, description, createdAt: now, updatedAt: now };
    await workspaces.insert(workspace);
    await audit.record({ resourceId: workspace.id, workspace: name, after: present(workspace) });
    return present(workspace);
  });

  bind(workflowContract.getWorkspace, async ({ input: { params }, principal }) => {
    return present(await findVisible(params.workspaceId, principal));
  });

  bind(workflowContract.updateWorkspace, async ({ input: { params, body }, principal, audit }) => {
    const former = await findVisible(params.workspaceId, principal);
    const { id, name: oldName } = former;
    const { name = oldName, description } = body;
    if (name !== oldName) await assertNoDocuments(oldName, name);
    const changes = {
      name,
      ...(description === undefined ? {} : { description }),
      updatedAt: clock.now(),
    };
    const changed = await workspaces.update(id, changes);
    await audit.record({ workspace: name, before: present(former), after: present(changed) });
    return present(changed);
  });

  bind(workflowContract.deleteWorkspace, async ({ input: { params }, principal, audit }) => {
    const found = await findVisible(params.workspaceId, principal);
    await assertNoDocuments(found.name);
    await workspaces.remove(found.id);
    await audit.record({ workspace: found.name, before: present(found) });
  });
}

function present({ id, name, description, createdAt, updatedAt }: Workspace): WorkspaceResponse {
  return { id, name, description, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
