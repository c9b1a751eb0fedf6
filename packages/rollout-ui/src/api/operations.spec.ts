import { rolloutContract } from '@weir/rollout-contract';
import { operations, type OperationName } from './operations';

const names = Object.keys(operations) as OperationName[];

it.each(names)('%s is where the contract has it', (name) => {
  const { method, path } = rolloutContract[name];
  expect(operations[name]).toEqual({ method, path });
});
