import type { StepOutcome } from '@weir/workflow-engine';
import { isAsExpected, resolveField, type JsonValue, type Step } from '@weir/workflow-spec';
import { z } from 'zod';
import type { CarryOutDependencies } from '../carry-out-run';
import type { ReadyRun } from '../open-run';
import { stepPlace } from '../step-command';
import type { ExecutedStep } from '../step-executor';
import { writeResult } from '../write-result';

const Settings = z.object({
  value: z.custom<JsonValue>((value) => value !== undefined),
  routes: z.record(z.string(), z.array(z.string())),
});

/** Chooses the ways that match; the steps of the others are skipped. */
export async function chooseRoutes(
  _dependencies: CarryOutDependencies,
  { values }: ReadyRun,
  { step, files, place, frame }: ExecutedStep,
): Promise<StepOutcome> {
  const { value, routes } = Settings.parse(step.run.kind === 'action' ? step.run.with : undefined);
  const { scope } = stepPlace({ values, upstream: place.upstream }, step, files);
  const text = resolveField(typeof value === 'string' ? value : JSON.stringify(value), scope);
  const patterns = Object.keys(routes);
  const taken = patterns.filter((pattern) => isAsExpected(pattern, text) === true);
  const named = namesOf(frame.plan.steps);
  const targets = (chosen: readonly string[]) => chosen.flatMap((pattern) => routes[pattern] ?? []).map(named);
  const kept = new Set(targets(taken));
  await writeResult(files, { routes: taken, steps: [...kept] }, values.masker);
  return {
    status: 'succeeded',
    skips: targets(patterns).filter((name) => !kept.has(name)),
    outputs: { fields: [], declared: [{ name: 'routes', value: taken }] },
  };
}

/** A route may name a step by its ID. */
function namesOf(steps: readonly Step[]): (text: string) => string {
  const names = new Map(steps.flatMap(({ id, name }) => (id === undefined ? [] : [[id, name] as const])));
  return (text) => names.get(text) ?? text;
}
