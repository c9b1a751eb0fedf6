import type { Step as WireStep } from '@weir/workflow-contract';
import type { Step } from '@weir/workflow-spec';

export function presentStep({ name, id, description, run, depends, workingDir }: Step): WireStep {
  return {
    name,
    ...(id === undefined ? {} : { id }),
    ...(description === undefined ? {} : { description }),
    ...(workingDir === undefined ? {} : { dir: workingDir }),
    commands: run.kind === 'commands' ? run.commands.map((command) => ({ command })) : [],
    ...(run.kind === 'script' ? { script: run.script } : {}),
    ...(depends.length === 0 ? {} : { depends: [...depends] }),
    preconditions: [],
  };
}
