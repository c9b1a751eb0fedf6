import type { Dag } from './dag';

/** No file can have this name. */
export const askDagName = '__ask_user__';

/** Asks a person the question of an agent, as a child run of it. */
export const askDag: Dag = {
  name: askDagName,
  description: 'A question of an agent',
  type: 'graph',
  labels: [],
  params: [{ name: 'question', type: 'string', required: true }],
  env: [],
  dotenv: [],
  schedule: [],
  maxActiveSteps: 0,
  steps: [
    {
      name: 'answer',
      id: 'answer',
      depends: [],
      env: [],
      run: {
        kind: 'action',
        action: 'human.task',
        with: {
          prompt: '${params.question}',
          form: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
        },
      },
    },
  ],
};

/** Finds a DAG that has no file of its own: one of the same text, or that with which agents ask people. */
export function findLocalDag(localDags: readonly Dag[], name: string): Dag | undefined {
  return name === askDagName ? askDag : localDags.find((dag) => dag.name === name);
}
