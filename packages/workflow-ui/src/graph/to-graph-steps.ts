import type { Schemas } from '../api/client';
import { statusKindOf } from '../api/status';
import type { GraphStep } from '.';
import { durationOf } from '../parts/run/run-statistics';

type Step = Schemas['Step'];

/** Returns the steps of a DAG in the form for the graph, with the statuses of the nodes of a run, if given. */
export function toGraphSteps(steps: readonly Step[], nodes: readonly Schemas['Node'][]): readonly GraphStep[] {
  const ran = new Map(nodes.map((node) => [node.step.name, node]));
  const named = new Map(
    steps.flatMap(({ id, name }) => [[name, name] as const, ...(id === undefined ? [] : [[id, name] as const])]),
  );
  return steps.map((step) => {
    const node = ran.get(step.name);
    return {
      name: step.name,
      depends: (step.depends ?? []).map((other) => named.get(other) ?? other),
      status: node === undefined ? undefined : statusKindOf(node.statusLabel),
      durationMs: node === undefined ? undefined : durationOf(node),
      kind: kindOf(step),
    };
  });
}

/** Describes the work of the step in a word: its action, the DAG that it calls, or the first words of its command. */
export function kindOf({ executorConfig, call, commands, script }: Step): string | undefined {
  if (call !== undefined && call !== '') return call;
  const type = executorConfig?.type ?? '';
  if (type !== '') return type;
  const [command] = commands ?? [];
  const text = command === undefined ? script?.trim() : [command.command, ...(command.args ?? [])].join(' ');
  return text?.split('\n')[0];
}
