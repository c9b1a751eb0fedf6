import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Stores a script in a file, readable by its owner only, while `use` runs. */
export async function withScriptFile<T>(
  script: string,
  tempDir: string,
  use: (file: string) => Promise<T>,
): Promise<T> {
  await mkdir(tempDir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(tempDir, 'weir-step-'));
  try {
    const file = join(folder, 'script');
    await writeFile(file, script, { mode: 0o700, flag: 'wx' });
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
