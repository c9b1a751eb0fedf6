import { workspaceMissing, workspaceNameTaken, type Workspace, type WorkspaceRepository } from './workspace';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryWorkspaceRepository(): WorkspaceRepository {
  const rows = new Map<string, Workspace>();
  const existing = (id: string): Workspace => {
    const workspace = rows.get(id);
    if (workspace === undefined) throw workspaceMissing(id);
    return workspace;
  };
  const put = (workspace: Workspace): Workspace => {
    const isTaken = [...rows.values()].some(({ id, name }) => name === workspace.name && id !== workspace.id);
    if (isTaken) throw workspaceNameTaken(workspace.name);
    rows.set(workspace.id, workspace);
    return workspace;
  };
  // The functions are async, so that a refusal is a rejection as with a database.
  return {
    list: () => Promise.resolve([...rows.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1))),
    findById: (id) => Promise.resolve(rows.get(id)),
    insert: async (workspace) => {
      await Promise.resolve(put(workspace));
    },
    update: async (id, changes) => Promise.resolve(put({ ...existing(id), ...changes })),
    remove: async (id) => {
      existing(id);
      await Promise.resolve(rows.delete(id));
    },
  };
}
