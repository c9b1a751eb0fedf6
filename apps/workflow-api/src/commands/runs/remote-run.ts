import { AppError } from '@weir/foundation';
import type { WorkflowClient } from '@weir/workflow-client';
import type { RunTarget } from '../../features/dags';
import { withApi } from '../shared/with-api';
import { executeRun } from './execute-run';
import { toRequestOptions, type RunFlags } from './run-flags';
import type { StoreCommand } from '../shared/program-host';

interface RemoteRunOptions extends StoreCommand, RunFlags {
  readonly target: string;
}

/** Whether a target is the name of a DAG of another server, not a file of this machine. */
export function isRemoteName({ context, target }: Pick<RemoteRunOptions, 'context' | 'target'>): boolean {
  return context !== undefined && !target.includes('/') && !/\.ya?ml$/.test(target);
}

/** Starts a DAG of another server and shows the run. Returns the exit code. */
export function startRemoteRun(options: RemoteRunOptions): Promise<number> {
  const { target: fileName, name } = options;
  return executeRun(options, {
    word: 'started',
    here: () => Promise.reject(new AppError('internal', 'The run belongs to another server.')),
    onServer: async (client) => {
      const dagName = name ?? (await readDagName(client, fileName));
      const body = { ...toRequest(options), dagName: name };
      const { dagRunId } = (await client.POST('/dags/{fileName}/start', { params: { path: { fileName } }, body })).data;
      return { dagName, dagRunId };
    },
  });
}

/** Queues a DAG of another server. Returns the exit code. */
export async function enqueueRemoteRun(options: RemoteRunOptions): Promise<number> {
  const { target: fileName, name, queue, print } = options;
  return withApi(options, async (client) => {
    const body = { ...toRequest(options), queue, dagName: name };
    const dagName = name ?? (await readDagName(client, fileName));
    const { data } = await client.POST('/dags/{fileName}/enqueue', { params: { path: { fileName } }, body });
    print(`${dagName} ${data.dagRunId}: queued`);
    return 0;
  });
}

async function readDagName(client: WorkflowClient, fileName: string): Promise<string> {
  return (await readRemoteDag(client, fileName)).dagName;
}

/** Finds a DAG of another server by the name of its file. Throws `dag_not_found`. */
export async function readRemoteDag(client: WorkflowClient, fileName: string) {
  const { dag, spec = '' } = (await client.GET('/dags/{fileName}', { params: { path: { fileName } } })).data;
  return { dagName: dag?.name ?? fileName, spec };
}

/** Makes a file of this machine a run of another server. */
export function toForeignRequest({ dag, specText }: RunTarget, flags: RunFlags) {
  return { ...toRequest(flags), spec: specText, name: dag.name };
}

/** Throws `invalid_request` for flags that only a command of the same machine may use. */
export function toRequest(flags: RunFlags) {
  const { triggerType, scheduleTime, priority } = flags;
  if (triggerType !== undefined || scheduleTime !== undefined || priority !== undefined) {
    throw new AppError(
      'invalid_request',
      '--trigger-type, --schedule-time and --priority are for the server of this machine.',
    );
  }
  return { ...toRequestOptions(flags), singleton: false };
}
