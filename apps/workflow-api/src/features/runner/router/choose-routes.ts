import type { StepOutcome } from '@weir/workflow-engine';
import { matchesExpected, resolveField, type JsonValue, type Step } from '@weir/workflow-spec';
import { z } from 'zod';
import type { RunPorts } from '../carry-out-run';
import type { ReadyRun } from '../open-run';
import { resolveStep } from '../step-command';
import type { StepExecution } from '../step-executor';
import { writeResult } from '../write-result';

const Settings = z.object({
  value: z.custom<JsonValue>((value) => value !== undefined),
  routes: z.record(z.string(), z.array(z.string())),
});

/** Chooses the ways that match; the steps of the others are skipped. */
export async function chooseRoutes(
  _dependencies: RunPorts,
  { values }: ReadyRun,
  { step, files, commandOptions, scope: executing }: StepExecution,
): Promise<StepOutcome> {
  const { value, routes } = Settings.parse(step.run.kind === 'action' ? step.run.with : undefined);
  const { scope } = resolveStep({ values, upstream: commandOptions.upstream }, step, files);
  const text = resolveField(typeof value === 'string' ? value : JSON.stringify(value), scope);
  const patterns = Object.keys(routes);
  const chosenRoutes = patterns.filter((pattern) => matchesExpected(pattern, text) === true);
  const toName = createNameLookup(executing.plan.steps);
  const targets = (chosen: readonly string[]) => chosen.flatMap((pattern) => routes[pattern] ?? []).map(toName);
  const chosenSteps = new Set(targets(chosenRoutes));
  await writeResult(files, { routes: chosenRoutes, steps: [...chosenSteps] }, values.masker);
  return {
    status: 'succeeded',
    skips: targets(patterns).filter((name) => !chosenSteps.has(name)),
    outputs: { fields: [], declared: [{ name: 'routes', value: chosenRoutes }] },
  };
}

/** A route may name a step by its ID. */
function createNameLookup(steps: readonly Step[]): (text: string) => string {
  const names = new Map(steps.flatMap(({ id, name }) => (id === undefined ? [] : [[id, name] as const])));
  return (text) => names.get(text) ?? text;
}
