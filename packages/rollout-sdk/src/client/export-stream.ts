import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LoadedRow } from '../load/load';
import { streamRows } from '../load/stream-rows';

/** The rows of a response that is a safetensors file, by way of a temporary file that is deleted afterwards. */
export async function* streamExport(
  request: () => Promise<Response>,
  parent: string = tmpdir(),
): AsyncGenerator<LoadedRow> {
  const folder = await mkdtemp(path.join(parent, 'weir-export-'));
  try {
    const file = path.join(folder, 'export.safetensors');
    const { body } = await request();
    if (body === null) throw new Error('The answer to an export has no body.');
    await pipeline(Readable.fromWeb(body), createWriteStream(file));
    yield* streamRows(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
