import type { ActionLog } from '../../host/logs/action-log';
import { actionFailed } from '../../model/steps/action-errors';
import { within } from '../../host/concurrency/end-or-stop';
import type { Pause } from '../../host/concurrency/pause';
import { isPassing, type JobClient } from './job-client';
import { hasStarted, jobEnd, waitingReason, type JobEnd, type Pod } from './job-status';

export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly log: ActionLog;
  readonly pause: Pause;
  readonly now: () => number;
  /** The time in which the first pod must start. */
  readonly pendingMs: number;
}

export interface FollowedJob {
  readonly end: JobEnd;
  readonly pods: readonly Pod[];
}

const pollMs = 1_000;
/** The time for which the cluster may be unreachable. */
const awayMs = 300_000;
/** For the rest of the logs, once the job has ended. */
const drainMs = 30_000;

/** Waits for the end of the job and prints what its pods print. */
export async function followJob(client: JobClient, name: string, options: FollowOptions): Promise<FollowedJob> {
  const { signal, log, pause, now, pendingMs } = options;
  const startedAt = now();
  const followed = new Map<string, Promise<void>>();
  let seenAt = startedAt;
  let waiting: string | undefined;
  for (;;) {
    try {
      const end = jobEnd(await client.read(name));
      const pods = await client.pods(name);
      seenAt = now();
      for (const pod of pods.filter(hasStarted)) {
        const { name: podName } = pod.metadata;
        if (!followed.has(podName)) followed.set(podName, printLogs(client, podName, options));
      }
      if (end !== undefined) {
        await within(Promise.all(followed.values()), drainMs);
        return { end, pods };
      }
      const reason = pods.map(waitingReason).find((each) => each !== undefined);
      if (reason !== undefined && reason !== waiting) log.note(`The pod waits: ${reason}`);
      waiting = reason;
      if (followed.size === 0 && now() - startedAt > pendingMs) {
        throw actionFailed(`No pod of the job has started within ${pendingMs / 1_000} seconds.`);
      }
    } catch (error) {
      if (signal.aborted || !isPassing(error) || now() - seenAt > awayMs) throw error;
    }
    await pause(pollMs, signal);
  }
}

/** A connection that is lost in the middle is opened again, and what was printed already is left out. */
async function printLogs(client: JobClient, pod: string, { signal, log, pause }: FollowOptions): Promise<void> {
  let printed = 0;
  for (;;) {
    let position = 0;
    try {
      for await (const part of await client.logs(pod, signal)) {
        const rest = part.subarray(Math.min(part.length, Math.max(0, printed - position)));
        position += part.length;
        printed = Math.max(printed, position);
        if (rest.length > 0) log.out(rest);
      }
      return;
    } catch (error) {
      // The end of the job decides about the step; its logs alone do not.
      if (signal.aborted) return;
      if (!isPassing(error) && position === 0) {
        log.note('The logs of the pod cannot be read.');
        return;
      }
    }
    try {
      await pause(pollMs, signal);
    } catch {
      return;
    }
  }
}
