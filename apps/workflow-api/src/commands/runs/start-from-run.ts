import { hasErrors } from '@weir/workflow-spec';
import { specInvalid } from '../../dag-parser/spec-errors';
import type { RunTarget } from '../../features/dags';
import { resolveDagName } from '../shared/find-runnable-target';
import { createInlineSpecReader } from '../shared/inline-spec-reader';
import { readRun } from '../shared/run-queries';
import { withApi } from '../shared/with-api';
import { executeRun } from './execute-run';
import { newRun, quieted, type StartRunOptions } from './start-run';

/**
 * Executes a new run with the spec of an earlier one, even if the file has changed, and with its parameters and profile
 * where none are given. Returns the exit code. Throws `dag_run_not_found`.
 */
export async function startFromRun(options: StartRunOptions & { readonly fromRunId: string }): Promise<number> {
  const { config, fromRunId: dagRunId } = options;
  const dagName = await resolveDagName(options, options.target);
  const { spec, params, profile } = await withApi(options, async (client) => {
    const run = await readRun(client, { dagName, dagRunId });
    const at = { params: { path: { name: run.name, dagRunId: run.dagRunId } } };
    const { params: given, profile: used = '' } = run;
    const { data } = await client.GET('/dag-runs/{name}/{dagRunId}/spec', at);
    return { spec: data.spec, params: options.params ?? given, profile: options.profile ?? used };
  });
  const parsed = await createInlineSpecReader(config).parse(spec, { name: dagName });
  if (hasErrors(parsed.findings)) throw specInvalid(parsed.findings);
  const dag = { ...parsed.dag, name: dagName };
  const target: RunTarget = { ...parsed, dag, specText: spec, name: dagName, fileName: dagName };
  return executeRun(quieted(options), newRun(target, { ...options, params, profile }));
}
