import { keySpec } from '../../shapes/object-kind';
import { approval } from '../policies/approval';
import { policyKeys } from '../policies/policy-keys';

export const flowKeys = {
  ...policyKeys,
  approval: keySpec('A person must approve the step before its dependents run', approval),
} as const;
