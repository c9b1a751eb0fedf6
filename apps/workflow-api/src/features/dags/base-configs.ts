import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDagName } from '@weir/workflow-spec';
import type { BaseSource, BaseText } from '../../dag-parser';
import { toFileMark, readDagFileAnywhere, type FileMark } from './read-dag-file';

export interface BaseConfigLocations {
  readonly file: string;
  /** Whether a setting names the file, so that its absence is an error. */
  readonly isRequired: boolean;
  /** Its folder `workspaces` has a folder for each workspace, which may hold a `base.yaml`. */
  readonly dagsFolder: string;
}

/** The files with settings that DAGs inherit. */
export interface BaseConfigs extends BaseSource {
  /** Changes when any of the files changes. */
  mark(): Promise<FileMark>;
}

export function createBaseConfigs({ file, isRequired, dagsFolder }: BaseConfigLocations): BaseConfigs {
  const workspaces = path.join(dagsFolder, 'workspaces');
  const toFile = (workspace: string): string => path.join(workspaces, workspace, 'base.yaml');
  const read = createFileReader();
  return {
    read: async () => (await read(file)) ?? (isRequired ? unreadable(file, 'there is no such file') : undefined),
    readForWorkspace: async (workspace) => (isDagName(workspace) ? read(toFile(workspace)) : undefined),
    mark: async () => {
      const names = await readdir(workspaces).catch(() => []);
      const marks = await Promise.all([file, ...names.sort().map(toFile)].map(readFileMark));
      return marks.join(' ');
    },
  };
}

/** The returned function reads a file again only when it has changed. */
function createFileReader(): (file: string) => Promise<BaseText | undefined> {
  const cache = new Map<string, { readonly mark: FileMark; readonly base: BaseText | undefined }>();
  return async (file) => {
    // The mark is taken before the file is read: the next poll detects a change in between.
    const mark = await readFileMark(file);
    const cached = cache.get(file);
    if (mark !== '' && cached?.mark === mark) return cached.base;
    const base = await readFile(file);
    // A file that could not be read may become readable later, which leaves the mark unchanged.
    if (base === undefined || base.problem !== undefined) cache.delete(file);
    else cache.set(file, { mark, base });
    return base;
  };
}

async function readFile(file: string): Promise<BaseText | undefined> {
  const content = await readDagFileAnywhere(file);
  if (content === undefined) return undefined;
  return content.kind === 'text' ? { label: file, text: content.text } : unreadable(file, content.problem);
}

function unreadable(file: string, problem: string): BaseText {
  return { label: file, text: '', problem };
}

async function readFileMark(file: string): Promise<FileMark> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? '' : toFileMark(found);
}
