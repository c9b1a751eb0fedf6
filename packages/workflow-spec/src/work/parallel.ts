import type { Parallel } from '../canonical/work';
import { keySpec, objectKind } from '../read/object-kind';
import { objectShape } from '../read/read-object';
import { mapShape } from '../read/shape';
import { either } from '../read/shapes';
import { kindOf } from '../yaml/yaml-value';
import { concurrent, defaultConcurrent, parallelItems } from './items';

const parallelKind = objectKind({
  title: 'parallel',
  keys: {
    items: keySpec('The items: a list, or a text that gives them', parallelItems, { required: true }),
    max_concurrent: keySpec('Runs at the same time; 10 by default', concurrent),
  },
});

const full = objectShape(parallelKind, ({ items, max_concurrent }): Parallel | undefined => {
  if (items?.value === undefined) return undefined;
  return { items: items.value, maxConcurrent: max_concurrent?.value ?? defaultConcurrent };
});

const itemsAlone = mapShape(parallelItems, (items): Parallel => ({ items, maxConcurrent: defaultConcurrent }));

/** The items of a sub-DAG step: alone, or with the number of runs at the same time. */
export const parallel = either((value) => kindOf(value) === 'map', full, itemsAlone);
