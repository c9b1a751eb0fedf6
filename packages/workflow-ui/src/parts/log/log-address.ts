import { apiAddress } from '../../api/base-address';

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

/** The address of an operation on a log that the browser itself calls, for a stream or a file. */
export function operationAddress(
  { name, dagRunId, subDAGRunId, stepName, stream }: LogAddress,
  operation: 'follow' | 'download',
  query: Readonly<Record<string, string>> = {},
): string {
  const parts = ['dag-runs', name, dagRunId];
  if (subDAGRunId !== undefined) parts.push('sub-dag-runs', subDAGRunId);
  if (stepName !== undefined) parts.push('steps', stepName);
  const parameters = new URLSearchParams({
    ...query,
    ...(stepName === undefined || stream === undefined ? {} : { stream }),
  });
  const search = parameters.size === 0 ? '' : `?${parameters.toString()}`;
  return `${apiAddress}/${[...parts, 'log', operation].map(encodeURIComponent).join('/')}${search}`;
}
