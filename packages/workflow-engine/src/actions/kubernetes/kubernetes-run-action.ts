import type { StepOutcome } from '../../model/steps/step-outcome';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { durationMs } from '../../values/text/duration';
import { timerPause } from '../../host/concurrency/pause';
import { publishValues } from '../call/publish-values';
import { clusterAccess } from '../../host/kubernetes/cluster-access';
import { createClusterApi } from '../../host/kubernetes/cluster-api';
import { followJob, type FollowedJob } from './follow-job';
import { createJobClient, isPassing, toClusterFailure, type JobClient } from './job-client';
import { jobManifest, stepKey } from './job-manifest';
import { lastExit } from './job-status';

type Work = ActionWork<'kubernetes.run'>;

const defaultPendingMs = 600_000;
const defaultGraceMs = 5_000;
/** Limits the request that deletes the job. */
const removeMs = 15_000;
const createAttempts = 5;

/** Runs a job, prints its logs and deletes it. A stop deletes it too; a job of an attempt that was cut off goes on. */
export const kubernetesRun: ActionExecutor<'kubernetes.run'> = async (work) => {
  const { call, settings, signal, log, services } = work;
  const access = await clusterAccess(call, settings);
  const client = createJobClient(createClusterApi(access), access.namespace, signal);
  let name: string | undefined;
  try {
    name = await findOrCreate(work, client);
    signal.throwIfAborted();
    const followed = await followJob(client, name, {
      signal,
      log,
      pause: services.pause ?? timerPause,
      now: () => services.clock.now().getTime(),
      pendingMs: durationMs('pending_timeout', settings.pending_timeout, defaultPendingMs),
    });
    await settle(work, client, name);
    return toOutcome(work, name, followed);
  } catch (error) {
    const isRemoved = name === undefined || (await removeOrNote(work, client, name));
    if (!signal.aborted) throw toClusterFailure(error, (text) => log.note(text));
    if (isRemoved) throw error;
    return { status: 'aborted', error: 'run stopped, but the cluster did not confirm the end of the job' };
  }
};

/** Repeated while the cluster is away: a job that it has created without our knowledge is found then. */
async function findOrCreate({ call, settings, log, services, signal }: Work, client: JobClient): Promise<string> {
  const manifest = jobManifest(call, settings);
  const pause = services.pause ?? timerPause;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const existing = await client.find(stepKey(call));
      const { metadata } = existing ?? (await client.create(manifest));
      log.note(existing === undefined ? `started the job ${metadata.name}` : `found the job ${metadata.name} again`);
      return metadata.name;
    } catch (error) {
      if (signal.aborted || !isPassing(error) || attempt === createAttempts) throw error;
      await pause(1_000 * attempt, signal);
    }
  }
}

async function settle(work: Work, client: JobClient, name: string): Promise<void> {
  if (work.settings.cleanup_policy === 'keep') await client.markReported(name);
  else await removeOrNote(work, client, name);
}

async function removeOrNote({ call, log }: Work, client: JobClient, name: string): Promise<boolean> {
  try {
    const graceMs = call.killGraceMs ?? defaultGraceMs;
    await client.remove(name, { graceMs, signal: AbortSignal.timeout(removeMs) });
    return true;
  } catch {
    log.note(`The job ${name} could not be deleted.`);
    return false;
  }
}

function toOutcome({ call }: Work, name: string, { end, pods }: FollowedJob): StepOutcome {
  const { exitCode, reason } = lastExit(pods);
  const code = exitCode === undefined ? {} : { exitCode };
  if (end.isSuccess) return { ...publishValues({ job: name }, call.maxOutputBytes), ...code };
  const why = end.reason === 'DeadlineExceeded' ? end.reason : (reason ?? end.reason ?? 'unknown reason');
  const error =
    exitCode === undefined ? `The job failed: ${why}` : `exit status ${exitCode}${why === 'Error' ? '' : `: ${why}`}`;
  return { ...code, status: 'failed', error };
}
