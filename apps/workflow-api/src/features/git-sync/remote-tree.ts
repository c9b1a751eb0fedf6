import { maxDagFileBytes } from '../dags';
import { parseFilePath, type ItemName } from './sync-item';

/** A file of the repository. */
export interface RemoteFile extends ItemName {
  /** The path below the path of the repository. */
  readonly filePath: string;
  readonly mode: '100644' | '100755';
  readonly hash: string;
  readonly size: number;
}

export interface RemoteTree {
  /** The files by item id. */
  readonly files: ReadonlyMap<string, RemoteFile>;
  /** Problems of files that look like items but are not, for people. */
  readonly problems: readonly RemoteProblem[];
}

export interface RemoteProblem {
  readonly itemId: string;
  readonly message: string;
}

export const emptyTree: RemoteTree = { files: new Map(), problems: [] };

/** Limits the files of a repository that are synchronised. */
export const maxItems = 10_000;

/** Parses the output of `git ls-tree -r -z -l`. `prefix` is the path of the repository, empty or with a trailing "/". */
export function parseTree(printed: string, prefix: string): RemoteTree {
  const files = new Map<string, RemoteFile>();
  const problems: RemoteProblem[] = [];
  for (const line of printed.split('\0')) {
    const tab = line.indexOf('\t');
    if (tab < 0 || !line.startsWith(prefix, tab + 1)) continue;
    const filePath = line.slice(tab + 1 + prefix.length);
    const item = parseFilePath(filePath);
    if (item === undefined) continue;
    const [mode = '', , hash = '', size = ''] = line.slice(0, tab).split(/ +/);
    const message = problemOf({ mode, size: Number(size), other: files.get(item.itemId)?.filePath });
    if (message === undefined) {
      files.set(item.itemId, { ...item, filePath, mode: mode as RemoteFile['mode'], hash, size: Number(size) });
    } else problems.push({ itemId: item.itemId, message: `${filePath} ${message}` });
  }
  return { files, problems };
}

interface Entry {
  readonly mode: string;
  readonly size: number;
  readonly other: string | undefined;
}

function problemOf({ mode, size, other }: Entry): string | undefined {
  if (mode === '120000') return 'is a link, which is not followed.';
  if (mode === '160000') return 'is a submodule.';
  if (mode !== '100644' && mode !== '100755') return 'is no file.';
  if (size > maxDagFileBytes) return `is larger than ${maxDagFileBytes} bytes.`;
  // Git sorts ".yaml" before ".yml", like the folder of DAGs.
  return other === undefined ? undefined : `is left out, as there is ${other}.`;
}
