import type { StepRun } from '../../model/step';
import { compact } from '../../model/compact';
import { hasReference, reportInvalid } from '../../shapes/shapes';
import { readObject } from '../../shapes/read-object';
import type { StepOptions } from '../scope/step-options';
import type { YamlValue } from '../../source/yaml/yaml-value';
import { foreachKind } from '../../keys/loops/foreach-kind';
import { defaultConcurrent } from '../../keys/loops/items';

/** Reads a loop and its body, whose steps have their own names and dependencies. */
export function readForeach(value: YamlValue, options: StepOptions): StepRun | undefined {
  const fields = readObject(value, foreachKind)?.fields;
  if (!fields) return undefined;
  const { items, as, key, max_concurrent, steps, collect } = fields;
  if (key?.value !== undefined && !hasReference(key.source)) {
    reportInvalid(key.source, 'must hold a reference, or every item has the same key');
  }
  // The body always uses its own dependencies, for any type of the DAG.
  const body = { ...options, type: 'graph', scope: 'foreach' } as const;
  return {
    kind: 'foreach',
    items: items?.value ?? [],
    as: as?.value ?? 'item',
    ...compact({ key: key?.value }),
    maxConcurrent: max_concurrent?.value ?? options.defaults?.maxConcurrent ?? defaultConcurrent,
    steps: steps?.value ? options.readStepList(steps.value, body) : [],
    collect: collect?.value ?? [],
  };
}
