import { AppError } from '@weir/foundation';
import { workflowContract } from '@weir/workflow-contract';
import type { Principal } from '../../access/principal';
import type { RunAddress } from '../runs';
import type { CallOperation } from './operation-calls';

export interface Topic {
  /** All equal topics have this spelling. */
  readonly key: string;
  /**
   * The changes that affect it: those of one run, of any run, of any run or queue, of any run or DAG file, those of a
   * growing log too, or those of an agent session.
   */
  readonly changedBy: 'run' | 'runs' | 'queues' | 'definitions' | 'log' | 'session';
  /** The session that the topic shows. */
  readonly sessionId?: string;
  /** The run that the topic is about. */
  readonly run?: RunAddress;
  /** The minimum pause between two reads, for topics that are costly to read. */
  readonly pauseMs?: number;
  /** The step whose logs the topic shows; when omitted, the log of the run. */
  readonly stepName?: string | undefined;
  read(call: CallOperation, principal: Principal): Promise<unknown>;
}

/** Query parameters that are about the stream itself. */
const ownParameters = new Set(['token', 'remoteNode']);
const logLines = 1000;
const summaryPauseMs = 1000;

/** Throws `unsupported_topic` or `invalid_topic`. */
export function parseTopic(text: string): Topic {
  const colon = text.indexOf(':');
  const [type, id] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  const make = Object.hasOwn(topicTypes, type) ? topicTypes[type as keyof typeof topicTypes] : undefined;
  if (make === undefined) {
    throw new AppError('invalid_request', `There are no topics of the type "${type}".`, {
      reason: 'unsupported_topic',
    });
  }
  return make(id);
}

export const topicTypes = {
  dagrun: (id: string): Topic => {
    const [name, dagRunId] = splitPath(id, 2);
    const params = { name, dagRunId };
    return {
      key: `dagrun:${id}`,
      changedBy: 'run',
      run: params,
      read: (call, principal) => call(workflowContract.getDagRunDetails, { params }, principal),
    };
  },
  subdagrun: (id: string): Topic => {
    const [name, dagRunId, subDAGRunId] = splitPath(id, 3);
    const params = { name, dagRunId, subDAGRunId };
    return {
      key: `subdagrun:${id}`,
      changedBy: 'run',
      run: params,
      read: (call, principal) => call(workflowContract.getSubDagRunDetails, { params }, principal),
    };
  },
  dag: (id: string): Topic => ({
    key: `dag:${id}`,
    changedBy: 'definitions',
    read: (call, principal) => call(workflowContract.getDagDetails, { params: { fileName: id } }, principal),
  }),
  daghistory: (id: string): Topic => {
    const [fileName = '', query = ''] = id.split('?');
    return {
      key: `daghistory:${id}`,
      changedBy: 'definitions',
      read: (call, principal) =>
        call(workflowContract.getDagRunHistory, { params: { fileName }, query: toQuery(query) }, principal),
    };
  },
  dagrunlogs: (id: string): Topic => {
    const [path = '', query = ''] = id.split('?');
    const [name, dagRunId] = splitPath(path, 2);
    const params = { name, dagRunId };
    const tail = new URLSearchParams(query).get('tail') ?? '500';
    return {
      key: `dagrunlogs:${id}`,
      changedBy: 'log',
      run: params,
      read: (call, principal) => readRunLogs(call, { params, tail }, principal),
    };
  },
  steplog: (id: string): Topic => {
    const [name, dagRunId, stepName] = splitPath(id, 3);
    const params = { name, dagRunId, stepName };
    return {
      key: `steplog:${id}`,
      changedBy: 'log',
      run: { name, dagRunId },
      stepName,
      read: (call, principal) => readStepLogs(call, params, principal),
    };
  },
  loglines: (id: string): Topic => {
    const [path = '', query = ''] = id.split('?');
    const [name, dagRunId] = splitPath(path, 2);
    const { sub, step, stream } = toLogQuery(query);
    const search = normalise(query);
    return {
      key: `loglines:${path}${search === '' ? '' : `?${search}`}`,
      changedBy: 'log',
      stepName: step,
      run: { name, dagRunId, subDAGRunId: sub },
      read: (call, principal) => readLogEnd(call, { name, dagRunId, sub, step, stream }, principal),
    };
  },
  dagruns: (id: string): Topic => ({
    key: `dagruns:${normalise(id)}`,
    changedBy: 'runs',
    read: (call, principal) => call(workflowContract.listDagRuns, { query: toQuery(id) }, principal),
  }),
  runcounts: (id: string): Topic => ({
    key: `runcounts:${normalise(id)}`,
    changedBy: 'runs',
    pauseMs: summaryPauseMs,
    read: (call, principal) => call(workflowContract.countDagRuns, { query: toQuery(id) }, principal),
  }),
  runfailures: (id: string): Topic => ({
    key: `runfailures:${normalise(id)}`,
    changedBy: 'runs',
    pauseMs: summaryPauseMs,
    read: (call, principal) => call(workflowContract.listFailures, { query: toQuery(id) }, principal),
  }),
  queues: (id: string): Topic => ({
    key: `queues:${normalise(id)}`,
    changedBy: 'queues',
    read: (call, principal) => call(workflowContract.listQueues, { query: toQuery(id) }, principal),
  }),
  dagslist: (id: string): Topic => ({
    key: `dagslist:${normalise(id)}`,
    changedBy: 'definitions',
    read: (call, principal) =>
      call(workflowContract.listDags, { query: { perPage: '100', ...toQuery(id) } }, principal),
  }),
  agentsession: (id: string): Topic => ({
    key: `agentsession:${id}`,
    changedBy: 'session',
    sessionId: id,
    read: (call, principal) => call(workflowContract.getAgentSession, { params: { sessionId: id } }, principal),
  }),
} satisfies Record<string, (id: string) => Topic>;

/** Names of steps may contain slashes, so the last part takes the rest. */
function splitPath(id: string, count: 2): [string, string];
function splitPath(id: string, count: 3): [string, string, string];
function splitPath(id: string, count: number): string[] {
  const parts = id.split('/');
  const split = [...parts.slice(0, count - 1), parts.slice(count - 1).join('/')];
  if (split.length === count && split.every((part) => part !== '')) return split;
  throw new AppError('invalid_request', `"${id}" is not ${count} names separated by slashes.`, {
    reason: 'invalid_topic',
  });
}

function normalise(id: string): string {
  const parameters = new URLSearchParams(id);
  for (const name of ownParameters) parameters.delete(name);
  parameters.sort();
  return parameters.toString();
}

function toQuery(id: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(normalise(id));
  const entries = [...new Set(parameters.keys())].map((name) => {
    const values = parameters.getAll(name).flatMap((value) => (name === 'status' ? value.split(',') : [value]));
    return [name, values.length > 1 ? values : (values[0] ?? '')] as const;
  });
  return Object.fromEntries(entries);
}

interface LogQuery {
  /** The id of a child run. */
  readonly sub?: string | undefined;
  readonly step?: string | undefined;
  /** The stream of a step. */
  readonly stream?: string | undefined;
}

const logParameters = new Set<string>(['sub', 'step', 'stream'] satisfies (keyof LogQuery)[]);

function toLogQuery(query: string): LogQuery {
  const parameters = new URLSearchParams(normalise(query));
  const unknown = [...parameters.keys()].find((name) => !logParameters.has(name));
  if (unknown !== undefined || (parameters.has('stream') && !parameters.has('step'))) {
    const what = unknown === undefined ? '"stream" needs "step"' : `"${unknown}" is none of sub, step and stream`;
    throw new AppError('invalid_request', `In a topic of log lines, ${what}.`, { reason: 'invalid_topic' });
  }
  return Object.fromEntries(parameters);
}

/** Reads the last line of a log, with the size of the whole log. */
function readLogEnd(
  call: CallOperation,
  { name, dagRunId, sub, step, stream }: LogQuery & Readonly<Record<'name' | 'dagRunId', string>>,
  principal: Principal,
): Promise<unknown> {
  const ofRun = sub === undefined ? { name, dagRunId } : { name, dagRunId, subDAGRunId: sub };
  if (step === undefined) {
    const operation = sub === undefined ? workflowContract.getDagRunLogLines : workflowContract.getSubDagRunLogLines;
    return call(operation, { params: ofRun, query: { tail: '1' } }, principal);
  }
  const operation =
    sub === undefined ? workflowContract.getDagRunStepLogLines : workflowContract.getSubDagRunStepLogLines;
  const query = { tail: '1', ...(stream === undefined ? {} : { stream }) };
  return call(operation, { params: { ...ofRun, stepName: step }, query }, principal);
}

interface StepLog {
  readonly content: string;
  readonly lineCount: number;
  readonly totalLines: number;
  readonly hasMore: boolean;
}

async function readStepLogs(
  call: CallOperation,
  params: Readonly<Record<string, string>>,
  principal: Principal,
): Promise<unknown> {
  const read = async (stream: string): Promise<StepLog> => {
    const query = { stream, tail: String(logLines) };
    // The schema of the operation has this shape.
    return (await call(workflowContract.getDagRunStepLog, { params, query }, principal)) as StepLog;
  };
  const [stdout, stderr] = await Promise.all([read('stdout'), read('stderr')]);
  return {
    stdoutContent: stdout.content,
    stderrContent: stderr.content,
    lineCount: stdout.lineCount,
    totalLines: stdout.totalLines,
    hasMore: stdout.hasMore,
  };
}

interface RunWithNodes {
  readonly dagRunDetails: {
    readonly nodes: readonly {
      readonly step: { readonly name: string };
      readonly status: number;
      readonly statusLabel: string;
      readonly startedAt: string;
      readonly finishedAt: string;
      readonly stdout: string;
      readonly stderr: string;
    }[];
  };
}

async function readRunLogs(
  call: CallOperation,
  { params, tail }: { readonly params: Readonly<Record<string, string>>; readonly tail: string },
  principal: Principal,
): Promise<unknown> {
  const [schedulerLog, details] = await Promise.all([
    call(workflowContract.getDagRunLog, { params, query: { tail } }, principal),
    call(workflowContract.getDagRunDetails, { params }, principal),
  ]);
  // The schema of the operation has this shape.
  const { nodes } = (details as RunWithNodes).dagRunDetails;
  const stepLogs = nodes.map(({ step, status, statusLabel, startedAt, finishedAt, stdout, stderr }) => ({
    stepName: step.name,
    status,
    statusLabel,
    startedAt,
    finishedAt,
    hasStdout: stdout !== '',
    hasStderr: stderr !== '',
  }));
  return { schedulerLog, stepLogs };
}
