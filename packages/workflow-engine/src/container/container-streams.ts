import { Duplex } from 'node:stream';
import type { ActionLog } from '../actions/action-log';
import { createDemux } from './demux';
import { engineFailed } from './engine-errors';

const stderrTailBytes = 1024;

/** What a process in a container writes, on its way to the log files of the step. */
export interface ContainerStreams {
  /** Resolves when both have ended; rejects when they broke or could not be stored. */
  readonly ended: Promise<void>;
  /** The end of what it wrote to standard error. */
  readonly stderrTail: () => string;
}

/** What the library hands out is one, though its types do not say so. */
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
        // Thrown further it would end the whole server.
        reject(error instanceof Error ? error : engineFailed('lost', error));
      }
    });
    stream.once('end', () => resolve());
    stream.once('close', () => resolve());
    // More than one may come, and one that nobody takes ends the server.
    stream.on('error', (error) => reject(engineFailed('lost', error)));
  });
  ended.catch(() => undefined);
  return { ended, stderrTail: () => tail.toString('utf8').replace(/^\uFFFD+/, '') };
}
