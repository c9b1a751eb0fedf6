import { objectKind, keySpec } from '../../shapes/object-kind';
import { identityKeys } from './identity-keys';
import { outputKeys } from './output-keys';
import { executionKeys } from './execution-keys';
import { workKeys, workUnsupported } from './work-keys';
import { approval } from '../policies/approval';
import { policyKeys } from '../policies/policy-keys';

const flowKeys = {
  ...policyKeys,
  approval: keySpec('A person must approve the step before its dependents run', approval),
} as const;

/** Keys of a step whose texts are taken as written. */
export const keysWithoutReferences: ReadonlySet<string> = new Set([
  'id',
  'name',
  'description',
  'depends',
  'output_schema',
]);

/** The keys of a step, grouped by topic. */
export const stepKind = objectKind({
  title: 'step',
  keys: { ...identityKeys, ...workKeys, ...flowKeys, ...outputKeys, ...executionKeys },
  unsupported: workUnsupported,
});
