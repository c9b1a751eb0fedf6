import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { dagParams } from './settings/dag-params';

const keys = {
  dag: keySpec('Name or path of the DAG', nonEmptyText, { required: true }),
  params: keySpec('Parameters of the run: a string, a list, or a map', dagParams),
} as const;

export const dagActions = [
  defineAction('dag.run', {
    description: 'Runs a DAG and waits until it has ended',
    execution: 'composite',
    restart: true,
    keys,
  }),
  defineAction('dag.enqueue', {
    description: 'Enqueues a run of a DAG without waiting for it',
    execution: 'composite',
    restart: true,
    keys: { ...keys, queue: keySpec('Name of the queue', nonEmptyText) },
  }),
] as const;
