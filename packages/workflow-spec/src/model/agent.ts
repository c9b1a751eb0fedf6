import type { AgentRun, Step } from './step';

/** The only step of a DAG of type agent, which has the steps of the file in it. */
export const agentStepName = '__agent__';

/** The tools of every agent that are none of its steps. */
export const agentTools = { ask: 'ask_user', settle: 'set_task_status' } as const;

/** Names and IDs that no step of an agent may have. */
export const reservedAgentNames: ReadonlySet<string> = new Set([agentStepName, ...Object.values(agentTools)]);

/** Returns the agent of a DAG of that type. */
export function findAgent({ steps }: { readonly steps: readonly Step[] }): AgentRun | undefined {
  const [run] = steps.map((step) => step.run);
  return run?.kind === 'agent' ? run : undefined;
}

/** Returns the steps as the file has them. */
export function authoredSteps(dag: { readonly steps: readonly Step[] }): readonly Step[] {
  return findAgent(dag)?.steps ?? dag.steps;
}
