import { keySpec } from '../shapes/object-kind';
import { approval } from '../policies/approval';
import { policyKeys } from '../policies/policy-keys';

export const flowKeys = {
  ...policyKeys,
  approval: keySpec('A person approves the work of the step before the next ones run', approval),
} as const;
