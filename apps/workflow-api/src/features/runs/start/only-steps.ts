import { cp, lstat } from 'node:fs/promises';
import { AppError, isSystemError, systemErrorCode } from '@weir/foundation';
import {
  runStatus,
  withOnlySteps,
  type DagRunStep,
  type RunSource,
  type StepOutputs,
  type StoredRun,
} from '@weir/workflow-engine/model';
import type { JsonValue, Step } from '@weir/workflow-spec';
import type { DagRunRepository } from '../store/dag-run-repository';

/** The choice of the steps that a run executes. */
export interface StepChoice {
  /** Names or ids of the steps to execute; the others are skipped. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Outputs of skipped steps in JSON, by the names or ids of the steps. */
  readonly outputs?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** The id of an ended run of the DAG, whose outputs, logs and working files stand in for those of the skipped steps. */
  readonly outputsFrom?: string | undefined;
}

export interface ChosenSteps {
  readonly nodes: readonly DagRunStep[];
  /** The outputs of skipped steps, by position. */
  readonly outputs: ReadonlyMap<number, StepOutputs>;
  /** The logs of skipped steps. */
  readonly logs: readonly { readonly from: DagRunStep; readonly to: DagRunStep }[];
  /** The working folder of the earlier run. */
  readonly workDir?: string;
}

const maxFiles = 10_000;
const maxBytes = 1_073_741_824;

/** Returns the positions of the steps to execute. Throws `steps_invalid`. */
export function findChosenSteps(
  steps: readonly Step[],
  { only, outputs = {} }: StepChoice & { readonly only: readonly string[] },
): ReadonlySet<number> {
  const chosen = new Set(only.map((text) => findStep(steps, text)));
  for (const text of Object.keys(outputs)) {
    if (chosen.has(findStep(steps, text))) throw stepsInvalid(`"${text}" is executed, so it has outputs of its own`);
  }
  return chosen;
}

/** Skips the steps of a new run that are not chosen, and finds what stands in for them. Throws `steps_invalid`. */
export async function chooseSteps(
  runs: Pick<DagRunRepository, 'find' | 'listSteps' | 'readOutputs'>,
  { dag }: RunSource,
  {
    created: { run, nodes },
    only,
    outputs = {},
    outputsFrom,
  }: StepChoice & { created: StoredRun; only: readonly string[] },
): Promise<ChosenSteps> {
  const chosen = findChosenSteps(dag.steps, { only, outputs });
  const given = Object.entries(outputs).map(([text, values]) => {
    const position = findStep(dag.steps, text);
    return [position, toOutputs(dag.steps[position], values)] as const;
  });
  const skipping = { nodes: withOnlySteps(nodes, chosen, run.createdAt), logs: [], outputs: new Map(given) };
  if (outputsFrom === undefined) return skipping;
  const earlier = await runs.find(run.dagName, outputsFrom);
  if (earlier === undefined || earlier.workspace !== run.workspace || runStatus.isActive(earlier.status)) {
    throw stepsInvalid(`the DAG "${run.dagName}" has no ended run "${outputsFrom}"`);
  }
  const [rows, values] = await Promise.all([runs.listSteps(earlier.id), runs.readOutputs(earlier.id)]);
  const pairs = skipping.nodes.flatMap((to) => {
    const from = rows.find(({ scope, name }) => scope === '' && name === to.name);
    return to.scope !== '' || chosen.has(to.position) || from === undefined ? [] : [{ from, to }];
  });
  const taken = pairs.flatMap(({ from, to }) => {
    const found = values.get(from.position);
    return found === undefined ? [] : [[to.position, found] as const];
  });
  return { ...skipping, outputs: new Map([...taken, ...given]), logs: pairs, workDir: earlier.workDir };
}

/**
 * Copies the working folder of an earlier run, if this machine has it. Throws `steps_invalid` when it is too large, and
 * `work_files_not_copied`.
 */
export async function copyWorkFiles(from: string, to: string): Promise<void> {
  let files = 0;
  let bytes = 0;
  try {
    await cp(from, to, {
      recursive: true,
      verbatimSymlinks: true,
      filter: async (file) => {
        files += 1;
        bytes += (await lstat(file)).size;
        if (files > maxFiles || bytes > maxBytes) {
          throw stepsInvalid('the working folder of the earlier run has more than 10,000 files or 1 GiB');
        }
        return true;
      },
    });
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return;
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new AppError('unavailable', `The working files of the earlier run cannot be copied (${code}).`, {
      reason: 'work_files_not_copied',
      cause: error,
    });
  }
}

function findStep(steps: readonly Step[], text: string): number {
  const found = steps.findIndex(({ name, id }) => name === text || id === text);
  if (found < 0) throw stepsInvalid(`the DAG has no step "${text}"`);
  return found;
}

/** Puts each value where the step itself would have published it. */
function toOutputs(step: Step | undefined, values: Readonly<Record<string, unknown>>): StepOutputs {
  const output = step?.output;
  // They came in a request or on a command line, as JSON.
  const named = Object.entries(values).map(([name, value]) => ({ name, value: value as JsonValue }));
  if (output?.kind !== 'variable')
    return output === undefined ? { fields: [], declared: named } : { fields: named, declared: [] };
  const variable = named.find(({ name }) => name === output.name);
  return {
    ...(variable === undefined ? {} : { variable: { name: variable.name, value: asText(variable.value) } }),
    fields: [],
    declared: named.filter((each) => each !== variable),
  };
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function stepsInvalid(problem: string): AppError {
  return new AppError('invalid_request', `The steps of the run cannot be chosen: ${problem}.`, {
    reason: 'steps_invalid',
  });
}
