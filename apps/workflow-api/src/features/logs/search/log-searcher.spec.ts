import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { build } from 'esbuild';
import { createLogSearcher } from './log-searcher';
import type { SearchRequest } from './search-request';

let folder: TemporaryFolder;
let workerFile: string;

beforeAll(async () => {
  folder = temporaryFolder();
  workerFile = folder.file('log-search-worker.js');
  await build({
    entryPoints: [path.join(__dirname, 'log-search-worker.ts')],
    outfile: workerFile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@weir/source'],
    external: ['ssh2', 'dockerode'],
  });
}, 60_000);
afterAll(() => folder.remove());

const aSearch = (file: string): SearchRequest => ({
  files: { kind: 'files' },
  source: { kind: 'run', file },
  query: { text: 'hit', isPattern: false, ignoresCase: false },
  context: 0,
  limit: 10,
  from: { line: 1, byte: 0 },
  deadlineMs: 60_000,
});

describe('createLogSearcher', () => {
  const permits = () => {
    const counts = { taken: 0, released: 0 };
    const acquire = () => {
      counts.taken += 1;
      return Promise.resolve(() => void (counts.released += 1));
    };
    return { counts, acquire };
  };

  it('searches in a thread', async () => {
    await writeFile(folder.file('run.log'), 'a\nhit\n');
    const { counts, acquire } = permits();
    const searcher = createLogSearcher({ workerFile, permits: { acquire } });
    const findings = await searcher.search(aSearch(folder.file('run.log')), new AbortController().signal);

    expect(findings).toMatchObject({ groups: [[{ number: 2, text: 'hit' }]], matchingLines: 1 });
    expect(counts).toEqual({ taken: 1, released: 1 });
  });

  it('rejects with the failure of the thread', async () => {
    const searcher = createLogSearcher({ workerFile, permits: permits() });
    const request = { ...aSearch(folder.file('run.log')), query: { text: '(', isPattern: true, ignoresCase: false } };

    await expect(searcher.search(request, new AbortController().signal)).rejects.toThrow('The pattern is not valid.');
  });

  it('ends the thread when the client disconnects', async () => {
    const { counts, acquire } = permits();
    const controller = new AbortController();
    const searcher = createLogSearcher({ workerFile, permits: { acquire } });
    const searching = searcher.search(aSearch('/dev/null'), controller.signal);
    controller.abort();

    await expect(searching).rejects.toMatchObject({ name: 'AbortError' });
    expect(counts).toEqual({ taken: 1, released: 1 });
  });
});
