import { isSystemError } from '@weir/foundation';
import type { JsonObject, JsonValue, Step } from '@weir/workflow-spec';
import { resolveGivenParams } from '@weir/workflow-spec/values';
import { readLogTail } from '../../host/logs/log-files';
import { planDag } from '../../model/plan/plan';
import { nodeStatus } from '../../model/statuses/node-status';
import type { DagRunStep, StepScope } from '../../model/run-model/dag-run';
import type { StepOutputs } from '../../model/run-model/step-outputs';
import { executeScope } from '../../scope/execute-scope';
import type { StepExecution } from '../../scope/loop/step-execution';
import { maskScope } from '../../values/masking/mask-scope';
import type { Upstream } from '../../values/outputs/scope-outputs';
import { resolveStep } from '../../values/run-values/resolve-step';
import type { RunValues } from '../../values/run-values/run-values';
import { cutText } from '../../values/text/cut-text';
import type { RunContext } from '../context/run-context';
import { addIteration } from '../foreach/iterations';
import { readGivenParams, type StepTool } from './agent-tools';

const maxResultBytes = 512 * 1024;
/** Of each log. */
const maxTailBytes = 64 * 1024;

export interface ActionRequest {
  readonly tool: StepTool;
  readonly arguments: JsonObject;
  readonly scope: StepScope;
  /** The step as it was stored before the run was interrupted. */
  readonly stored: readonly DagRunStep[] | undefined;
  /** What the actions before have published. */
  readonly inherited: Upstream | undefined;
}

export interface ActionEnd {
  readonly row: DagRunStep;
  /** The result as the model reads it: JSON, with secrets masked. */
  readonly text: string;
  /** What this action and those before have published. */
  readonly upstream: Upstream;
}

/** Executes a step in a scope of its own. One that has ended there does not execute again. */
export async function runAction(
  context: RunContext,
  execution: StepExecution,
  request: ActionRequest,
): Promise<ActionEnd> {
  const { ports, run } = context;
  const { scope, inherited } = request;
  const written = request.tool.step;
  const steps = request.stored ?? (await addIteration(context, [written], scope));
  const { step, values } = withArguments(execution, request, steps);
  const { outputs } = await executeScope(context, {
    scope,
    plan: planDag([step]),
    steps,
    values,
    stop: execution.signal,
    inherited,
    maxActiveSteps: 0,
  });
  const [row] = await ports.runs.listSteps(run.id, scope);
  const published = (await ports.runs.readOutputs(run.id, scope)).get(0);
  const ended = row ?? steps[0];
  if (ended === undefined) throw new Error('An action has no stored step.');
  return { row: ended, text: await describeEnd(step, ended, published), upstream: outputs.all() };
}

/** What the step says itself counts; no reference in an argument is replaced. */
function withArguments(
  { values }: StepExecution,
  { tool, arguments: given, inherited }: ActionRequest,
  [stored]: readonly DagRunStep[],
): { readonly step: Step; readonly values: RunValues } {
  const { step } = tool;
  const { run } = step;
  const names = Object.keys((tool.parameters.properties ?? {}) as JsonObject);
  const own = run.kind === 'action' ? readGivenParams(run) : undefined;
  if (run.kind !== 'action' || own === undefined || stored === undefined || names.length === 0) return { step, values };
  const resolved = resolveStep({ step, stored, values, upstream: inherited });
  const params = resolveGivenParams(own, maskScope(resolved.scope, values.masker));
  const chosen = Object.entries(given).filter(([name]) => names.includes(name));
  const item: JsonObject = { ...Object.fromEntries(chosen), ...(JSON.parse(params) as JsonObject) };
  const { params: _, ...settings } = run.with;
  // A call without parameters passes on the item as a whole.
  return {
    step: { ...step, run: { ...run, with: settings } },
    values: { ...values, scope: { ...values.scope, item } },
  };
}

async function describeEnd(step: Step, row: DagRunStep, published: StepOutputs | undefined): Promise<string> {
  // A run of another DAG prints what it publishes.
  const isCall = step.run.kind === 'action' && step.run.action === 'dag.run';
  const isSkipped = nodeStatus.isSkipped(row.status);
  const [stdout, stderr] = isCall || isSkipped ? ['', ''] : await readTails(row);
  const outputs = listOutputs(published);
  const result: Record<string, JsonValue> = {
    status: row.status,
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.exitCode === null ? {} : { exit_code: row.exitCode }),
    ...(outputs.length === 0 ? {} : { outputs: Object.fromEntries(outputs) }),
    ...(stdout === '' ? {} : { stdout }),
    ...(stderr === '' ? {} : { stderr }),
  };
  return cutText(JSON.stringify(result), maxResultBytes);
}

function listOutputs(published: StepOutputs | undefined): readonly (readonly [string, JsonValue])[] {
  if (published === undefined) return [];
  const { variable, fields, declared } = published;
  const all = [...(variable === undefined ? [] : [variable]), ...fields, ...declared];
  return all.map(({ name, value }) => [name, value] as const);
}

/** One of another host, or one that was removed meanwhile, is left out. */
async function readTails({ stdoutFile, stderrFile }: DagRunStep): Promise<readonly [string, string]> {
  const stdout = await readTail(stdoutFile);
  return [stdout, stderrFile === stdoutFile ? '' : await readTail(stderrFile)];
}

async function readTail(file: string): Promise<string> {
  try {
    return await readLogTail(file, 0, maxTailBytes);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return '';
    throw error;
  }
}
