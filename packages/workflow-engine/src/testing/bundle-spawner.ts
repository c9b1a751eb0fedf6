import path from 'node:path';
import { build } from 'esbuild';

/** Bundles the program of the spawner into a folder, as the build does. Resolves to its file. */
export async function bundleSpawner(folder: string): Promise<string> {
  await build({
    entryPoints: { spawner: path.join(__dirname, '../host/spawner/spawner-process.ts') },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@weir/source'],
  });
  return path.join(folder, 'spawner.js');
}
