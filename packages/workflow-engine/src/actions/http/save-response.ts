import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isAppError } from '@weir/foundation';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../../host/files/error-code';
import { boundedBody } from './read-response';

/** A download is not held in memory, so it may be larger than printed output. */
const maxFileBytes = 1_073_741_824;

/** Saves the body atomically: after a failure the file is as it was before. */
export async function saveResponse(body: IncomingMessage, file: string, signal: AbortSignal): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    await pipeline(boundedBody(body, maxFileBytes, signal), createWriteStream(part, { flags: 'wx' }), { signal });
    await rename(part, file);
  } catch (error) {
    if (isAppError(error) || signal.aborted) throw error;
    throw actionFailed(`output cannot be written (${errorCode(error) ?? 'unknown error'}).`, error);
  } finally {
    body.destroy();
    await rm(part, { force: true });
  }
}
