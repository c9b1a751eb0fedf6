import { Duplex } from 'node:stream';
import type { ActionLog } from '../logs/action-log';
import { createDemux } from './demux';
import { engineFailed } from './engine-errors';

const stderrTailBytes = 1024;

/** Copies the output of a process in a container to the log of the step. */
export interface ContainerStreams {
  /** Resolves when both streams have ended; rejects when the connection breaks or the log cannot be written. */
  readonly ended: Promise<void>;
  /** The last bytes of standard error. */
  readonly stderrTail: () => string;
}

/** The library returns a duplex stream, which its types do not say. */
export function toDuplex(stream: NodeJS.ReadWriteStream): Duplex {
  if (stream instanceof Duplex) return stream;
  throw engineFailed('lost');
}

export function followStreams(stream: Duplex, log: Pick<ActionLog, 'out' | 'err'>): ContainerStreams {
  let tail = Buffer.alloc(0);
  const demux = createDemux((piece) => {
    if (piece.stream === 'stdout') log.out(piece.part);
    else {
      log.err(piece.part);
      tail = Buffer.concat([tail, piece.part]).subarray(-stderrTailBytes);
    }
  });
  const ended = new Promise<void>((resolve, reject) => {
    stream.on('data', (bytes: Buffer) => {
      try {
        demux(bytes);
      } catch (error) {
        // An exception in a listener would crash the server.
        reject(error instanceof Error ? error : engineFailed('lost', error));
      }
    });
    stream.once('end', () => resolve());
    stream.once('close', () => resolve());
    // Several errors may follow, and one without a listener would crash the server.
    stream.on('error', (error) => reject(engineFailed('lost', error)));
  });
  ended.catch(() => undefined);
  return { ended, stderrTail: () => tail.toString('utf8').replace(/^\uFFFD+/, '') };
}
