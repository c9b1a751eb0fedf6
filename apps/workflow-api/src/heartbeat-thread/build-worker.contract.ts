import path from 'node:path';
import { build } from 'esbuild';

/** Puts the worker's code into a folder as the build does, under the name that the program looks for. */
export async function buildHeartbeatWorker(folder: string): Promise<void> {
  await build({
    entryPoints: { 'heartbeat-worker': path.join(__dirname, 'heartbeat-worker.ts') },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@weir/source'],
    external: ['pg-native'],
  });
}
