import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const extension = /\.ya?ml$/;

/**
 * Returns the files that arguments name: files themselves, and the YAML files in folders at any depth, sorted. Links
 * are not followed.
 */
export async function findDagFiles(given: readonly string[], workingDirectory: string): Promise<readonly string[]> {
  const found = await Promise.all(
    given.map(async (name) => ((await isFolder(path.resolve(workingDirectory, name))) ? listFolder(name) : [name])),
  );
  return found.flat();

  async function listFolder(folder: string): Promise<readonly string[]> {
    const entries = await readdir(path.resolve(workingDirectory, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && extension.test(entry.name));
    const root = path.resolve(workingDirectory, folder);
    return files.map((entry) => path.join(folder, path.relative(root, entry.parentPath), entry.name)).sort();
  }
}

function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
