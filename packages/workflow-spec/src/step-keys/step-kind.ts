import { objectKind } from '../read/object-kind';
import { flowKeys } from './flow-keys';
import { identityKeys } from './identity-keys';
import { outputKeys, outputUnsupported } from './output-keys';
import { placementKeys } from './placement-keys';
import { workKeys, workUnsupported } from './work-keys';

/** The keys of a step, topic by topic. */
export const stepKind = objectKind({
  title: 'step',
  keys: { ...identityKeys, ...workKeys, ...flowKeys, ...outputKeys, ...placementKeys },
  unsupported: { ...workUnsupported, ...outputUnsupported },
});
