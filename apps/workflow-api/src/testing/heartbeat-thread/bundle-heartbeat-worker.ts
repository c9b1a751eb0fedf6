import path from 'node:path';
import { build } from 'esbuild';

/** Bundles the worker into a folder, as the build does. */
export async function buildHeartbeatWorker(folder: string): Promise<void> {
  await build({
    entryPoints: { 'heartbeat-worker': path.join(__dirname, '../../heartbeat-thread/heartbeat-worker.ts') },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@weir/source'],
    external: ['pg-native'],
  });
}
