import { AppError } from '@weir/foundation';
import { runStatus, unsupportedParts, type DagRunStep, type ReusePlan } from '@weir/workflow-engine/model';
import { formatFinding, hasErrors } from '@weir/workflow-spec';
import type { EditRetryPreviewResponse } from '@weir/workflow-contract/schemas';
import type { Requester } from '../../../access/audited-operation';
import type { ReadSpec, SpecReader } from '../../../dag-parser';
import { requireRole } from '../../../access/access-rules';
import type { Principal } from '../../../access/principal';
import { startsAs } from '../start/start-rule';
import { optionsOfRun } from './rerun-options';
import { presentStep } from '../read/step-presenter';
import type { RunAddress, RunAddresses } from '../read/run-addresses';
import type { StartRun } from '../start/run-starter';
import { formatErrors, specInvalid } from '../../../dag-parser/spec-errors';
import { compareWithRun, readReused, runActive, type Comparison, type ReuseDependencies } from './read-reused';

export interface EditRetrierDependencies extends ReuseDependencies {
  readonly addresses: RunAddresses;
  readonly specs: SpecReader;
  readonly startRun: StartRun;
}

export interface EditedSpec {
  readonly spec: string;
  /** Default: the DAG name of the run. */
  readonly dagName?: string | undefined;
}

export interface EditRetryRequest extends EditedSpec {
  readonly dagRunId?: string | undefined;
  /** Default: all steps that the preview keeps. */
  readonly skipSteps?: readonly string[] | undefined;
}

export type EditRetrier = ReturnType<typeof createEditRetrier>;

/**
 * Starts new runs with an edited spec that keep the results of an earlier run. Every operation throws
 * `dag_run_not_found`, `role_missing` and `dag_run_active`.
 */
export function createEditRetrier(dependencies: EditRetrierDependencies) {
  const { addresses, specs, startRun } = dependencies;

  const read = async (address: RunAddress, { spec, dagName }: EditedSpec, principal: Principal) => {
    const run = await addresses.toRead(address, principal);
    requireRole(principal, run.workspace ?? undefined, 'developer');
    if (runStatus.isActive(run.status)) throw runActive(run);
    const edited = await specs.parse(spec, { name: dagName ?? run.dagName, overrideName: true });
    requireRole(principal, edited.dag.workspace, 'developer');
    return { run, edited };
  };

  return {
    async preview(address: RunAddress, request: EditedSpec, principal: Principal): Promise<EditRetryPreviewResponse> {
      const { run, edited } = await read(address, request, principal);
      const errors = [...formatErrors(edited.findings), ...unsupportedParts(edited.dag).map(toUnsupported)];
      const comparison = errors.length > 0 ? undefined : await compareWithRun(dependencies, run, edited.dag);
      return { ...presentComparison(edited, comparison), errors };
    },

    /** Also throws `spec_invalid`, `step_not_reusable`, and the errors of `StartRun`. */
    async start(address: RunAddress, request: EditRetryRequest, { principal, audit }: Requester) {
      const { run, edited } = await read(address, request, principal);
      const { dag, findings, baseTexts } = edited;
      if (hasErrors(findings)) throw specInvalid(findings);
      const names = dag.steps.map(({ name }) => name);
      const kept = chooseKept(await compareWithRun(dependencies, run, dag), names, request.skipSteps);
      const reused = await readReused(dependencies, run, kept);
      const { dagRunId } = await startRun(
        { dag, specText: request.spec, baseTexts, fileName: run.fileName ?? run.dagName },
        {
          ...optionsOfRun(run),
          dagRunId: request.dagRunId,
          triggerType: 'retry',
          ...startsAs(principal),
          audit,
          reused,
        },
      );
      return {
        dagRunId,
        skippedSteps: names.filter((_, index) => kept.has(index)),
        startedSteps: names.filter((_, index) => !kept.has(index)),
      };
    },
  };
}

function presentComparison({ dag, findings }: ReadSpec, comparison: Comparison | undefined) {
  const dagName = dag.name;
  const warnings = findings.filter(({ severity }) => severity === 'warning').map(formatFinding);
  if (comparison === undefined) {
    return { dagName, skippedSteps: [], runnableSteps: [], steps: [], ineligibleSteps: [], warnings };
  }
  const { executed, refused, rows } = comparison;
  const names = dag.steps.map(({ name }) => name);
  const [named, executedSteps] = [new Set(names), new Set(executed)];
  const gone = rows.filter(({ name }) => !named.has(name));
  return {
    dagName,
    skippedSteps: names.filter((_, index) => !executedSteps.has(index)),
    runnableSteps: names.filter((_, index) => executedSteps.has(index)),
    steps: dag.steps.map(presentStep),
    ineligibleSteps: [...refused].map(([index, reason]) => ({ stepName: names[index] ?? '', reason })),
    warnings: [...warnings, ...gone.map(({ name }) => `The step "${name}" of the run is not in the edited spec.`)],
  };
}

function chooseKept(
  { reusable, refused, executed }: ReusePlan,
  names: readonly string[],
  chosen: readonly string[] | undefined,
): ReadonlyMap<number, DagRunStep> {
  const executedSteps = new Set(executed);
  if (chosen === undefined) return new Map([...reusable].filter(([index]) => !executedSteps.has(index)));
  const indexes = new Map(names.map((name, index) => [name, index]));
  return new Map(
    chosen.map((name) => {
      const index = indexes.get(name) ?? -1;
      const row = reusable.get(index);
      if (row === undefined) throw stepNotReusable(name, refused.get(index) ?? 'The edited spec has no such step.');
      return [index, row];
    }),
  );
}

function toUnsupported(part: string): string {
  return `This version cannot execute it yet: ${part}`;
}

function stepNotReusable(name: string, why: string): AppError {
  return new AppError('invalid_request', `The step "${name}" has to be executed. ${why}`, {
    reason: 'step_not_reusable',
  });
}
