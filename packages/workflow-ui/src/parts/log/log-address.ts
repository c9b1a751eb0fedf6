import { apiAddress } from '../../api/api-address';

/** A log of the API: the log of a run or of one of its steps, also in a child run. */
export interface LogAddress {
  /** The name of the DAG, or of the root run's DAG for a child run. */
  readonly name: string;
  readonly dagRunId: string;
  readonly subDAGRunId?: string | undefined;
  /** Omitted for the log of the run. */
  readonly stepName?: string | undefined;
  /** The stream of a step. */
  readonly stream?: LogStream | undefined;
  /** The attempt of a step; omitted for the output of all. */
  readonly attempt?: number | undefined;
}

export const logStreams = ['both', 'stdout', 'stderr'] as const;
export type LogStream = (typeof logStreams)[number];

/** Returns the same text for the same log. */
export function spellLog({ name, dagRunId, subDAGRunId, stepName, stream, attempt }: LogAddress): string {
  return JSON.stringify([name, dagRunId, subDAGRunId, stepName, stream, attempt]);
}

/** Reads the attempt that an address names. */
export function readAttempt({ attempt }: Readonly<Record<string, unknown>>): { readonly attempt?: number } {
  return /^[1-9]\d{0,5}$/.test(String(attempt)) ? { attempt: Number(attempt) } : {};
}

/** Returns the topic of the live stream that reports the end of a log, spelled as the server does: its keys are sorted. */
export function logTopic({ name, dagRunId, subDAGRunId, stepName, stream }: LogAddress): string {
  const ofStep = stepName === undefined ? {} : { step: stepName, ...(stream === undefined ? {} : { stream }) };
  const query = new URLSearchParams({ ...ofStep, ...(subDAGRunId === undefined ? {} : { sub: subDAGRunId }) });
  return `loglines:${name}/${dagRunId}${query.size === 0 ? '' : `?${query.toString()}`}`;
}

/** Returns the address of a log as a file, for the browser itself. */
export function downloadAddress({ name, dagRunId, subDAGRunId, stepName, stream, attempt }: LogAddress): string {
  const parts = ['dag-runs', name, dagRunId];
  if (subDAGRunId !== undefined) parts.push('sub-dag-runs', subDAGRunId);
  if (stepName !== undefined) parts.push('steps', stepName);
  const query = new URLSearchParams();
  if (stepName !== undefined && stream !== undefined) query.set('stream', stream);
  if (attempt !== undefined) query.set('attempt', String(attempt));
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  return `${apiAddress}/${[...parts, 'log', 'download'].map(encodeURIComponent).join('/')}${search}`;
}
