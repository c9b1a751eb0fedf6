import type { JsonObject } from '@weir/workflow-spec';
import { actionFailed } from '../../model/steps/action-errors';
import { ClusterRefusal, ClusterUnreachable, type ClusterApi } from '../../host/kubernetes/cluster-api';
import { containerName, reportedAnnotation, stepLabel } from './job-manifest';
import type { Job, Pod } from './job-status';

export interface JobClient {
  /** The job of an attempt that was cut off. */
  find(key: string): Promise<Job | undefined>;
  /** A stop does not cut it off: nobody would know then whether there is a job to delete. */
  create(manifest: JsonObject): Promise<Job>;
  read(name: string): Promise<Job>;
  pods(name: string): Promise<readonly Pod[]>;
  /** Reads the output of the pod's container from its beginning until it ends. */
  logs(pod: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  /** Deletes the job with its pods. One that is gone already is fine. */
  remove(name: string, options: { readonly graceMs: number; readonly signal: AbortSignal }): Promise<void>;
  /** Records that the end of the job is known. */
  markReported(name: string): Promise<void>;
}

/** Limits the request that creates the job. */
const createMs = 15_000;

export function createJobClient(api: ClusterApi, namespace: string, signal: AbortSignal): JobClient {
  const base = `/apis/batch/v1/namespaces/${encodeURIComponent(namespace)}/jobs`;
  const podBase = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  const job = (name: string) => `${base}/${encodeURIComponent(name)}`;
  const list = async (path: string, selector: string) => {
    const answer = await api.call({
      method: 'GET',
      path: `${path}?labelSelector=${encodeURIComponent(selector)}`,
      signal,
    });
    return (answer as { readonly items?: readonly unknown[] }).items ?? [];
  };
  return {
    find: async (key) => {
      const jobs = (await list(base, `${stepLabel}=${key}`)) as readonly Job[];
      return jobs.find(
        ({ metadata }) =>
          metadata.deletionTimestamp === undefined && metadata.annotations?.[reportedAnnotation] === undefined,
      );
    },
    create: async (body) => {
      const limit = AbortSignal.timeout(createMs);
      try {
        return (await api.call({ method: 'POST', path: base, body, signal: limit })) as Job;
      } catch (error) {
        throw limit.aborted ? new ClusterUnreachable(error) : error;
      }
    },
    read: async (name) => (await api.call({ method: 'GET', path: job(name), signal })) as Job,
    pods: async (name) => (await list(podBase, `job-name=${name}`)) as readonly Pod[],
    logs: (pod, until) =>
      api.stream(`${podBase}/${encodeURIComponent(pod)}/log?container=${containerName}&follow=true`, until),
    remove: async (name, { graceMs, signal: until }) => {
      const gracePeriodSeconds = Math.ceil(graceMs / 1_000);
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', gracePeriodSeconds };
      try {
        await api.call({ method: 'DELETE', path: job(name), body, signal: until });
      } catch (error) {
        if (!(error instanceof ClusterRefusal && error.status === 404)) throw error;
      }
    },
    markReported: async (name) => {
      const body = { metadata: { annotations: { [reportedAnnotation]: 'true' } } };
      await api.call({ method: 'PATCH', path: job(name), body, signal });
    },
  };
}

/** Whether the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ClusterUnreachable ||
    (error instanceof ClusterRefusal && [429, 500, 503, 504].includes(error.status))
  );
}

/** Messages of the cluster may quote settings, so they go to the log. */
export function toClusterFailure(error: unknown, note: (text: string) => void): unknown {
  if (error instanceof ClusterUnreachable) {
    const hint = error.code === undefined ? '' : ` (${error.code})`;
    return actionFailed(`The cluster cannot be reached, or the connection was lost${hint}.`, error);
  }
  if (!(error instanceof ClusterRefusal)) return error;
  if (error.message !== '') note(error.message);
  return actionFailed(
    `The cluster refused this (${error.reason === '' ? 'unknown' : error.reason}, status ${error.status}).`,
    error,
  );
}
