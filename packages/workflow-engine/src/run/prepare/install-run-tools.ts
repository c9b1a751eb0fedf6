import { isAppError } from '@weir/foundation';
import { isStopped } from '../../host/concurrency/is-stopped';
import type { PreparedValues } from './prepare-values';
import type { LoadedRun } from '../context/run-context';
import type { RunValues } from '../../values/run-values/run-values';
import { toolFailed } from '../../host/tools/tool-errors';

/** The values of a run whose steps find the tools of its DAG before all other commands. */
export async function withTools(loaded: LoadedRun, prepared: PreparedValues): Promise<PreparedValues> {
  const { dag, ports, stop, release, log } = loaded;
  const { tools = [] } = dag;
  if ('problem' in prepared || tools.length === 0 || stop.aborted) return prepared;
  try {
    if (ports.tools === undefined) throw toolFailed('Tools cannot be installed here.');
    const folders = await ports.tools.install(tools, AbortSignal.any([stop, release]));
    log.write('tools installed', { tools: tools.map(({ name, version }) => `${name}@${version}`).join(' ') });
    return { values: withPath(prepared.values, folders) };
  } catch (error) {
    // The run ends as a stopped one.
    if (isStopped(stop)) return prepared;
    if (!isAppError(error) || error.reason !== 'tool_not_installed') throw error;
    return { problem: error.message };
  }
}

function withPath(values: RunValues, folders: readonly string[]): RunValues {
  const { PATH: given } = values.env;
  const path = [...folders, ...(given === undefined || given === '' ? [] : [given])].join(':');
  const env = { ...values.env, PATH: path };
  return { ...values, env, scope: { ...values.scope, env: new Map([...values.scope.env, ['PATH', path]]) } };
}
