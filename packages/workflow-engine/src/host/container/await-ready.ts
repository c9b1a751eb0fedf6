import { setTimeout as wait } from 'node:timers/promises';
import type Docker from 'dockerode';
import { matchesOutput } from '@weir/workflow-spec/text';
import { demuxed } from './demux';
import { withDeadline } from './with-deadline';
import { engineFailed } from './engine-errors';
import type { ContainerSettings } from './container-settings';

const readyWithinMs = 300_000;
const pollMs = 100;
/** The end of the container's log that is searched for the pattern. */
const maxLogBytes = 4_194_304;

interface StartedContainer {
  readonly container: Docker.Container;
  readonly settings: ContainerSettings;
}

/** Waits until the container is running, healthy when required, and has logged the expected pattern. */
export async function awaitReady(open: StartedContainer, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.timeout(readyWithinMs);
  const both = AbortSignal.any([signal, limit]);
  try {
    const isHealthWanted = open.settings.wait_for === 'healthy';
    while (!(await isUp(open, isHealthWanted))) await wait(pollMs, undefined, { signal: both });
    const pattern = open.settings.log_pattern;
    if (pattern === undefined) return;
    while (!matchesOutput(`re:${pattern}`, await readLog(open))) {
      await wait(pollMs, undefined, { signal: both });
      // A container that has ended logs nothing more.
      await isUp(open, false);
    }
  } catch (error) {
    if (limit.aborted && !signal.aborted) throw engineFailed('late');
    throw error;
  }
}

async function isUp({ container }: StartedContainer, isHealthWanted: boolean): Promise<boolean> {
  const { State } = await withDeadline(container.inspect(), 'ended');
  if (!State.Running && !State.Restarting) throw engineFailed('ended');
  if (!isHealthWanted) return State.Running;
  const status = State.Health?.Status;
  if (status === undefined || status === 'none' || status === 'unhealthy') throw engineFailed('unhealthy');
  return status === 'healthy';
}

async function readLog({ container }: StartedContainer): Promise<string> {
  const log = await withDeadline(container.logs({ stdout: true, stderr: true, follow: false, tail: 10_000 }), 'lost');
  return Buffer.concat(demuxed(log).map(({ part }) => part))
    .subarray(-maxLogBytes)
    .toString('utf8');
}
