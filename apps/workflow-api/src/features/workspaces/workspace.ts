import { AppError } from '@weir/foundation';

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type WorkspaceChanges = Partial<Pick<Workspace, 'name' | 'description'>> & { readonly updatedAt: Date };

export interface WorkspaceRepository {
  /** Lists by name. */
  list(): Promise<readonly Workspace[]>;
  findById(id: string): Promise<Workspace | undefined>;
  /** Throws `workspace_name_taken`. */
  insert(workspace: Workspace): Promise<void>;
  /** Returns the workspace afterwards. Throws `workspace_name_taken` or `workspace_not_found`. */
  update(id: string, changes: WorkspaceChanges): Promise<Workspace>;
  /** Throws `workspace_not_found`. */
  remove(id: string): Promise<void>;
}

export function workspaceMissing(id: string): AppError {
  return new AppError('not_found', `There is no workspace with the id "${id}".`, { reason: 'workspace_not_found' });
}

export function workspaceNameTaken(name: string): AppError {
  return new AppError('conflict', `The workspace name "${name}" is taken.`, { reason: 'workspace_name_taken' });
}

export function workspaceHasDocuments(name: string): AppError {
  return new AppError(
    'conflict',
    `There are documents in a directory "${name}", which the workspace of this name would gain or lose. Move or delete them first.`,
    { reason: 'workspace_has_documents' },
  );
}
