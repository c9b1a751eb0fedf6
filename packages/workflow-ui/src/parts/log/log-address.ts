import { apiAddress } from '../../api/api-address';

/** A log of the API: that of a run, or of a step of it; also of a run below it. */
export interface LogAddress {
  /** Of the DAG, or of the root of the family for a run below it. */
  readonly name: string;
  readonly dagRunId: string;
  readonly subDAGRunId?: string | undefined;
  /** Left out for the log of the run. */
  readonly stepName?: string | undefined;
  /** Of a step. */
  readonly stream?: LogStream | undefined;
}

export const logStreams = ['both', 'stdout', 'stderr'] as const;
export type LogStream = (typeof logStreams)[number];

/** The same text for the same log. */
export function spellLog({ name, dagRunId, subDAGRunId, stepName, stream }: LogAddress): string {
  return JSON.stringify([name, dagRunId, subDAGRunId, stepName, stream]);
}

/** The topic of the live stream that tells of the end of a log, spelled as the server spells it: its keys are sorted. */
export function logTopic({ name, dagRunId, subDAGRunId, stepName, stream }: LogAddress): string {
  const ofStep = stepName === undefined ? {} : { step: stepName, ...(stream === undefined ? {} : { stream }) };
  const query = new URLSearchParams({ ...ofStep, ...(subDAGRunId === undefined ? {} : { sub: subDAGRunId }) });
  return `loglines:${name}/${dagRunId}${query.size === 0 ? '' : `?${query.toString()}`}`;
}

/** The address of a log as a file, for the browser itself. */
export function downloadAddress({ name, dagRunId, subDAGRunId, stepName, stream }: LogAddress): string {
  const parts = ['dag-runs', name, dagRunId];
  if (subDAGRunId !== undefined) parts.push('sub-dag-runs', subDAGRunId);
  if (stepName !== undefined) parts.push('steps', stepName);
  const search = stepName === undefined || stream === undefined ? '' : `?stream=${stream}`;
  return `${apiAddress}/${[...parts, 'log', 'download'].map(encodeURIComponent).join('/')}${search}`;
}
