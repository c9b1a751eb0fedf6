import type { StepRun } from '../canonical/work';
import { compact } from '../compact';
import { hasReference, invalid } from '../read/shapes';
import { readObject } from '../read/read-object';
import { readSteps } from '../steps/read-steps';
import { resolveSteps } from '../steps/resolve-steps';
import type { StepOptions } from '../steps/step-options';
import type { YamlValue } from '../yaml/yaml-value';
import { foreachKind } from './foreach-kind';
import { defaultConcurrent } from './items';

/** A loop with its body, whose steps have names and dependencies of their own. */
export function readForeach(value: YamlValue, options: StepOptions): StepRun | undefined {
  const fields = readObject(value, foreachKind)?.fields;
  if (!fields) return undefined;
  const { items, as, key, max_concurrent, steps, collect } = fields;
  if (key?.value !== undefined && !hasReference(key.source)) {
    invalid(key.source, 'must hold a reference, or every item has the same key');
  }
  // The body goes by its own dependencies whatever the order of the DAG is.
  const body = { ...options, type: 'graph', place: 'foreach' } as const;
  return {
    kind: 'foreach',
    items: items?.value ?? [],
    as: as?.value ?? 'item',
    ...compact({ key: key?.value }),
    maxConcurrent: max_concurrent?.value ?? defaultConcurrent,
    steps: steps?.value ? resolveSteps(readSteps(steps.value, body), 'graph', steps.value) : [],
    collect: collect?.value ?? [],
  };
}
