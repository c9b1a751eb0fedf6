import { asObject, isList } from '../actions/json-values';
import type { StepOutcome } from '../scope/step-ports';
import { matchesExpected, resolveField, type JsonValue, type Step } from '@weir/workflow-spec';
import type { RunPorts } from '../run/execute-run';
import type { ReadyRun } from '../run/open-run';
import { resolveStep } from '../steps/step-command';
import type { StepExecution } from '../steps/step-executor';
import { writeResult } from '../steps/write-result';

/** Chooses the ways that match; the steps of the others are skipped. */
export async function chooseRoutes(
  _dependencies: RunPorts,
  { values }: ReadyRun,
  { step, files, commandOptions, scope: executing }: StepExecution,
): Promise<StepOutcome> {
  const settings = step.run.kind === 'action' ? step.run.with : {};
  const { value = null } = settings;
  const routes = asObject(settings.routes) ?? {};
  const { scope } = resolveStep({ values, upstream: commandOptions.upstream }, step, files);
  const text = resolveField(typeof value === 'string' ? value : JSON.stringify(value), scope);
  const patterns = Object.keys(routes);
  const chosenRoutes = patterns.filter((pattern) => matchesExpected(pattern, text) === true);
  const toName = createNameLookup(executing.plan.steps);
  const targets = (chosen: readonly string[]) => chosen.flatMap((pattern) => toNames(routes[pattern])).map(toName);
  const chosenSteps = new Set(targets(chosenRoutes));
  await writeResult(files, { routes: chosenRoutes, steps: [...chosenSteps] }, values.masker);
  return {
    status: 'succeeded',
    skips: targets(patterns).filter((name) => !chosenSteps.has(name)),
    outputs: { fields: [], declared: [{ name: 'routes', value: chosenRoutes }] },
  };
}

function toNames(targets: JsonValue | undefined): readonly string[] {
  return isList(targets) ? targets.filter((target) => typeof target === 'string') : [];
}

/** A route may name a step by its ID. */
function createNameLookup(steps: readonly Step[]): (text: string) => string {
  const names = new Map(steps.flatMap(({ id, name }) => (id === undefined ? [] : [[id, name] as const])));
  return (text) => names.get(text) ?? text;
}
