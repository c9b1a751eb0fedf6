import type { JsonValue, Step } from '@weir/workflow-spec';
import { matchesExpected } from '@weir/workflow-spec/text';
import { resolveField } from '@weir/workflow-spec/values';
import { asObject } from '@weir/foundation';
import { isList } from '../../values/text/is-list';
import type { RunContext } from '../context/run-context';
import type { StepExecution } from '../../scope/loop/step-execution';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { resolveStep } from '../../values/run-values/resolve-step';
import { writeResult } from '../../scope/steps/write-result';

/** Chooses the routes that match; the steps of the others are skipped. */
export async function chooseRoutes({ values }: RunContext, execution: StepExecution): Promise<StepOutcome> {
  const { step, stored } = execution;
  const settings = step.run.kind === 'action' ? step.run.with : {};
  const { value = null } = settings;
  const routes = asObject(settings.routes) ?? {};
  const { scope } = resolveStep(execution);
  const text = resolveField(typeof value === 'string' ? value : JSON.stringify(value), scope);
  const patterns = Object.keys(routes);
  const chosenRoutes = patterns.filter((pattern) => matchesExpected(pattern, text) === true);
  const toName = createNameLookup(execution.scope.plan.steps);
  const targets = (chosen: readonly string[]) => chosen.flatMap((pattern) => toNames(routes[pattern])).map(toName);
  const chosenSteps = new Set(targets(chosenRoutes));
  await writeResult(stored, { routes: chosenRoutes, steps: [...chosenSteps] }, values.masker);
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
