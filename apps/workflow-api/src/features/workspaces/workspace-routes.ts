import { workflowContract, type WorkspaceResponse } from '@weir/workflow-contract';
import type { Clock } from '@weir/workflow-engine';
import type { RandomSource } from '../../adapters/random-source';
import type { Bind } from '../../bind';
import { canSee, requireRole, type Principal } from '../auth';
import { assertLocalNode } from '../remote-node';
import { workspaceMissing, type Workspace, type WorkspaceRepository } from './workspace';

export interface WorkspaceRoutesDependencies {
  readonly workspaces: WorkspaceRepository;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export function bindWorkspaceRoutes(bind: Bind, { workspaces, clock, random }: WorkspaceRoutesDependencies): void {
  const findVisible = async (id: string, principal: Principal): Promise<Workspace> => {
    const found = await workspaces.findById(id);
    if (found === undefined || !canSee(principal, found.name)) throw workspaceMissing(id);
    return found;
  };

  bind(workflowContract.listWorkspaces, async ({ input: { query }, principal }) => {
    assertLocalNode(query);
    const visible = (await workspaces.list()).filter(({ name }) => canSee(principal, name));
    return { workspaces: visible.map(present) };
  });

  bind(workflowContract.createWorkspace, async ({ input: { query, body }, principal }) => {
    assertLocalNode(query);
    requireRole(principal, body.name, 'developer');
    const now = clock.now();
    const { name, description = '' } = body;
    const workspace = { id: random.uuid(), name, description, createdAt: now, updatedAt: now };
    await workspaces.insert(workspace);
    return present(workspace);
  });

  bind(workflowContract.getWorkspace, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    return present(await findVisible(params.workspaceId, principal));
  });

  bind(workflowContract.updateWorkspace, async ({ input: { params, query, body }, principal }) => {
    assertLocalNode(query);
    const { id } = await findVisible(params.workspaceId, principal);
    const { name, description } = body;
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      updatedAt: clock.now(),
    };
    return present(await workspaces.update(id, changes));
  });

  bind(workflowContract.deleteWorkspace, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    await workspaces.remove((await findVisible(params.workspaceId, principal)).id);
  });
}

function present({ id, name, description, createdAt, updatedAt }: Workspace): WorkspaceResponse {
  return { id, name, description, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
