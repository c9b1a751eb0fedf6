import type { ByteRange } from '@weir/http-contract';
import type { StoredFile } from './files/run-files';

const chunkBytes = 256 * 1024;

/** Yields these bytes of a file, including the last one, as they are requested. */
export async function* readStored(
  file: Pick<StoredFile, 'read'>,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at <= end;) {
    const bytes = await file.read(at, Math.min(chunkBytes, end + 1 - at));
    // The file was cut meanwhile.
    if (bytes.length === 0) return;
    yield bytes;
    at += bytes.length;
  }
}
