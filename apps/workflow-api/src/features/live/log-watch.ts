import { stat } from 'node:fs/promises';

export type LogWatch = ReturnType<typeof createLogWatch>;

/** Compares the sizes of log files. A file that is not there yet has none. */
export function createLogWatch(findFiles: () => Promise<readonly string[]>) {
  let known: string | undefined;
  return {
    /** Whether a file has grown since the last call. */
    hasChanged: async (): Promise<boolean> => {
      const sizes = await Promise.all((await findFiles()).map(readSize));
      const current = sizes.join();
      const hasChanged = known !== undefined && known !== current;
      known = current;
      return hasChanged;
    },
  };
}

async function readSize(file: string): Promise<number> {
  if (file === '') return 0;
  try {
    return (await stat(file)).size;
  } catch {
    // Not written yet, or deleted with its run, which is announced otherwise.
    return 0;
  }
}
