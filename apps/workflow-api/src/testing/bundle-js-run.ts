import path from 'node:path';
import type { TemporaryFolder } from '@weir/test-kit';
import { build } from 'esbuild';

export interface JsRunFiles {
  readonly hostFile: string;
  readonly workerFile: string;
}

/** Bundles the programs of the process and of its threads, as the build does. */
export async function bundleJsRun(folder: TemporaryFolder): Promise<JsRunFiles> {
  await build({
    entryPoints: [path.join(__dirname, '../js-run/js-host.ts'), path.join(__dirname, '../js-run/js-worker.ts')],
    outdir: folder.path,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@weir/source'],
  });
  return { hostFile: folder.file('js-host.js'), workerFile: folder.file('js-worker.js') };
}
