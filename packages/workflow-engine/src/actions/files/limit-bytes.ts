import { Transform } from 'node:stream';
import { actionFailed } from '../../model/steps/action-errors';

/** Passes bytes on and counts them; fails when there are more than the limit. */
export function limitBytes(maxBytes: number, what: string) {
  let bytes = 0;
  const stream = new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      if (bytes > maxBytes) done(actionFailed(`${what} is larger than ${maxBytes} bytes.`));
      else done(null, part);
    },
  });
  return { stream, bytes: () => bytes };
}
