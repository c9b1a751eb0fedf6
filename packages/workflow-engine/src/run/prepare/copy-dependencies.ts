import { constants, createWriteStream } from 'node:fs';
import { mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isAppError } from '@weir/foundation';
import { listSteps } from '@weir/workflow-spec';
import type { LoadedRun } from '../context/run-context';
import type { PreparedValues } from './prepare-values';
import { sourceFolder, type RunValues } from '../../values/run-values/run-values';
import { dependencyBounds, selectFiles, unusable, type SelectedFile } from './select-files';

/**
 * The values of a run whose steps execute in its work folder, with a copy of the files that steps declare as they were
 * when this attempt of the run began.
 */
export async function withDependencies(loaded: LoadedRun, prepared: PreparedValues): Promise<PreparedValues> {
  const { dag, localDags, run, stop, ports } = loaded;
  const declared = [
    ...new Set([dag, ...localDags].flatMap(listSteps).flatMap(({ dependencies = [] }) => dependencies)),
  ];
  // The steps of a build execute where its files are.
  if ('problem' in prepared || declared.length === 0 || dag.type === 'build' || stop.aborted) return prepared;
  const { values } = prepared;
  const source = dag.workingDir === undefined ? sourceFolder(run, ports.dagsDir) : values.folder;
  try {
    await copyOnce(source, values, { declared, target: run.workDir, attempt: run.attempt });
    return { values: { ...values, folder: run.workDir } };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { problem: error.message };
  }
}

interface Copy {
  readonly declared: readonly string[];
  readonly target: string;
  readonly attempt: number;
}

/** A run that was interrupted goes on with what its steps have made of the files; a retry begins with those of today. */
async function copyOnce(source: string, values: RunValues, { declared, target, attempt }: Copy): Promise<void> {
  const mark = path.join(target, `.weir-files-${attempt}`);
  if ((await stat(mark).catch(() => undefined)) !== undefined) return;
  const files = await selectAll(source, declared);
  await mkdir(target, { recursive: true });
  for (const file of files) {
    const from = path.join(source, file.path);
    values.enclosure?.assertOpen(from);
    const to = path.join(target, file.path);
    if (from === to) continue;
    await mkdir(path.dirname(to), { recursive: true });
    await copyFile(from, to, file.path);
  }
  await writeFile(mark, '', { mode: 0o600, flush: true });
}

/** A link that was put in place of the file meanwhile is not followed. */
async function copyFile(from: string, to: string, name: string): Promise<void> {
  const handle = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    throw unusable(name, 'cannot be read', error);
  });
  try {
    const { mode } = await handle.stat();
    // Also what an earlier attempt has left there, which may be a link.
    await rm(to, { recursive: true, force: true });
    const write = createWriteStream(to, { flags: 'wx', mode: mode & 0o777 });
    await pipeline(handle.createReadStream({ autoClose: false }), write);
  } finally {
    await handle.close();
  }
}

async function selectAll(source: string, declared: readonly string[]): Promise<readonly SelectedFile[]> {
  const all = new Map<string, SelectedFile>();
  for (const declaration of declared) {
    for (const file of await selectFiles(source, declaration)) all.set(file.path, file);
    const bytes = [...all.values()].reduce((sum, file) => sum + file.bytes, 0);
    if (all.size > dependencyBounds.files)
      throw unusable(declaration, `makes more than ${dependencyBounds.files} files`);
    if (bytes > dependencyBounds.bytes) throw unusable(declaration, `makes more than ${dependencyBounds.bytes} bytes`);
  }
  return [...all.values()];
}
