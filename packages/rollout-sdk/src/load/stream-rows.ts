import { open } from 'node:fs/promises';
import { streamTrainingBatch } from '@weir/rollout-core';
import type { LoadedRow } from './load';

/**
 * The rows of an exported file, one at a time: its tokens are read as rows are asked for, so that a file may be larger
 * than the memory. Fails like `loadRows`.
 */
export async function* streamRows(file: string): AsyncGenerator<LoadedRow> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const read = async (position: number, length: number): Promise<Uint8Array> => {
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length;) {
        const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
        if (bytesRead === 0) throw new Error(`The file ${file} became shorter while it was read.`);
        done += bytesRead;
      }
      return bytes;
    };
    for await (const { id, dict } of streamTrainingBatch({ size, read }, { maxTokens: Number.MAX_SAFE_INTEGER })) {
      yield { id, tensors: dict };
    }
  } finally {
    await handle.close();
  }
}
