import type { StepScope } from '@weir/workflow-engine';

export function isWithin(scope: StepScope, root: StepScope): boolean {
  return scope === root || scope.startsWith(`${root}/`);
}
