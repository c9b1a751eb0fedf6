import { relative, resolve } from 'node:path';
import { AppError } from '@weir/foundation';
import type { Enclosure } from '../../model/ports/step-isolation';
import { realPath } from '../files/real-path';

/** Absolute paths without links. */
export interface FolderAccess {
  readonly closed: readonly string[];
  /** Also where they are inside a closed folder. */
  readonly open: readonly string[];
}

/** Closes folders of the server to what it reads for a DAG outside of runs. */
export function closeFolders({ closed, open }: FolderAccess): Pick<Enclosure, 'assertOpen'> {
  return {
    assertOpen: (path, options) => {
      assertOpenIn(
        path,
        { closed: closed.map((folder) => realPath(folder)), open: open.map((folder) => realPath(folder)) },
        options,
      );
    },
  };
}

/** Throws `path_closed`. */
export function assertOpenIn(
  path: string,
  access: FolderAccess,
  { isTree = false }: { readonly isTree?: boolean } = {},
) {
  const real = realPath(resolve(path));
  if (!isClosed(real, access) && !(isTree && holdsClosed(real, access))) return;
  throw new AppError('invalid_request', `${path} belongs to the server or to another run, and is closed to steps.`, {
    reason: 'path_closed',
  });
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
