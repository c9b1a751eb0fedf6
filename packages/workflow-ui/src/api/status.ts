import type { StatusKind } from '@weir/ui-kit';
import type { Schemas } from './client';

/** Returns the shape and colour of each status of a run or a step; the labels of the API are the names of the shapes. */
export function statusKindOf(label: Schemas['StatusLabel'] | Schemas['NodeStatusLabel']): StatusKind {
  return label;
}
