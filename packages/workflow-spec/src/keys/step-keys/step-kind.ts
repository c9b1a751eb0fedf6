import { objectKind } from '../../shapes/object-kind';
import { flowKeys } from './flow-keys';
import { identityKeys } from './identity-keys';
import { outputKeys } from './output-keys';
import { executionKeys } from './execution-keys';
import { workKeys, workUnsupported } from './work-keys';

/** The keys of a step, grouped by topic. */
export const stepKind = objectKind({
  title: 'step',
  keys: { ...identityKeys, ...workKeys, ...flowKeys, ...outputKeys, ...executionKeys },
  unsupported: workUnsupported,
});
