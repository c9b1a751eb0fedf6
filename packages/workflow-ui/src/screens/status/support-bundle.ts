import { api } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { readHealth } from '../../api/health';
import { saveFile } from '../../parts/save-file';

/** What is known about the server, for those who help with it. None of these answers has secrets or logs in it. */
async function readSupportBundle() {
  const [health, schedulers, workers, queues, resources, counts, metrics] = await Promise.all([
    readHealth(),
    unwrap(api.GET('/services/scheduler')),
    unwrap(api.GET('/workers')),
    unwrap(api.GET('/queues')),
    unwrap(api.GET('/services/resources/history', { params: { query: { duration: '24h' } } })),
    unwrap(api.GET('/run-counts')),
    unwrap(api.GET('/metrics', { parseAs: 'text' })),
  ]);
  return { takenAt: new Date().toISOString(), health, schedulers, workers, queues, resources, counts, metrics };
}

/** Saves it as a file. */
export async function downloadSupportBundle(): Promise<void> {
  const bundle = await readSupportBundle();
  const file = new Blob([JSON.stringify(bundle, null, 2)], { type: 'application/json' });
  saveFile(file, `weir-support-${bundle.takenAt.replaceAll(':', '-')}.json`);
}
