import { relative } from 'node:path';

/** Absolute paths without links. */
export interface FolderAccess {
  readonly closed: readonly string[];
  /** Also where they are inside a closed folder. */
  readonly open: readonly string[];
}

/** Whether the innermost of the folders that hold the path is a closed one. */
export function isClosed(path: string, { closed, open }: FolderAccess): boolean {
  const innermost = innermostOf(path, closed);
  return innermost > 0 && innermostOf(path, open) < innermost;
}

/** Whether a closed folder is below the path. */
export function holdsClosed(path: string, { closed }: Pick<FolderAccess, 'closed'>): boolean {
  return closed.some((folder) => isInside(folder, path));
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith('../'));
}

/** Its length; 0 when there is none. */
function innermostOf(path: string, folders: readonly string[]): number {
  return Math.max(0, ...folders.filter((folder) => isInside(path, folder)).map(({ length }) => length));
}
