import { translatePrismaError, type Database } from '@weir/workflow-db';
import { workspaceMissing, workspaceNameTaken, type WorkspaceRepository } from './workspace';

export function createPrismaWorkspaceRepository({ db }: Pick<Database, 'db'>): WorkspaceRepository {
  return {
    list: async () => (await db.workspace.findMany()).toSorted((left, right) => (left.name < right.name ? -1 : 1)),
    findById: async (id) => (await db.workspace.findUnique({ where: { id } })) ?? undefined,
    insert: async (workspace) => {
      await db.workspace
        .create({ data: { ...workspace } })
        .catch((error: unknown) => rethrow(error, workspace.id, workspace.name));
    },
    update: (id, changes) =>
      db.workspace
        .update({ where: { id }, data: { ...changes } })
        .catch((error: unknown) => rethrow(error, id, changes.name ?? '')),
    remove: async (id) => {
      await db.workspace.delete({ where: { id } }).catch((error: unknown) => rethrow(error, id, ''));
    },
  };
}

function rethrow(error: unknown, id: string, name: string): never {
  const failure = translatePrismaError(error);
  if (failure?.kind === 'unique' && failure.constraint === 'workspace_name_key') throw workspaceNameTaken(name);
  if (failure?.kind === 'not_found') throw workspaceMissing(id);
  throw error;
}
