import { Worker } from 'node:worker_threads';

/** The pipe that only the parent writes to: it ends when the parent does, however that ended. */
export const parentPipe = 4;

// It runs in a separate thread: an agent that never stops computing blocks the event loop of the process.
const watch = `
const { Socket } = require('node:net');
const { workerData } = require('node:worker_threads');
new Socket({ fd: workerData, readable: true, writable: false })
  .on('close', () => process.kill(process.pid, 'SIGKILL'))
  .on('error', () => undefined)
  .resume();
`;

/** Kills this process when its parent is gone. */
export function endWithParent(): void {
  new Worker(watch, { eval: true, workerData: parentPipe }).unref();
}
