import type { DagRunStep } from '@weir/workflow-engine/model';

export function isWithin(scope: DagRunStep['scope'], root: DagRunStep['scope']): boolean {
  return scope === root || scope.startsWith(`${root}/`);
}
