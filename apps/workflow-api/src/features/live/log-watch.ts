import { openRunFile, type RunFiles } from '../../run-files';

export type LogWatch = ReturnType<typeof createLogWatch>;

/** Compares the sizes of log files. A missing file counts as empty. */
export function createLogWatch(runFiles: Pick<RunFiles, 'view'>, findFiles: () => Promise<readonly string[]>) {
  let known: string | undefined;
  return {
    /** Returns whether a file has grown since the last call. */
    hasChanged: async (): Promise<boolean> => {
      const sizes = await Promise.all((await findFiles()).map((file) => readSize(runFiles, file)));
      const current = sizes.join();
      const hasChanged = known !== undefined && known !== current;
      known = current;
      return hasChanged;
    },
  };
}

async function readSize(runFiles: Pick<RunFiles, 'view'>, name: string): Promise<number> {
  try {
    const file = await openRunFile(runFiles, name);
    await file?.close();
    return file?.size ?? 0;
  } catch {
    // The file was not written yet, or was deleted with its run, which another event announces.
    return 0;
  }
}
