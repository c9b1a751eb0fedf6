import type { ByteRange } from '@weir/http-contract';
import type { StoredFile } from './files/run-files';

const chunkBytes = 256 * 1024;

/** These bytes of a file, the last one included, as they are asked for. */
export async function* readStored(file: StoredFile, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  for (let at = start; at <= end;) {
    const bytes = await file.read(at, Math.min(chunkBytes, end + 1 - at));
    // The file was cut meanwhile.
    if (bytes.length === 0) return;
    yield bytes;
    at += bytes.length;
  }
}
