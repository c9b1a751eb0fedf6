import { objectKind, keySpec } from '../read/object-kind';
import { unread } from '../read/shapes';
import { stepsSchema } from '../steps/steps-schema';
import { actionsKeys } from './actions-keys';
import { environmentKeys } from './environment-keys';
import { executionKeys, executionUnsupported } from './execution-keys';
import { identityKeys } from './identity-keys';
import { inputsKeys } from './inputs-keys';
import { integrationKeys, integrationUnsupported } from './integration-keys';
import { lifecycleKeys } from './lifecycle-keys';
import { mailKeys } from './mail-keys';
import { recordKeys } from './record-keys';
import { scheduleKeys } from './schedule-keys';

/** The root keys of a DAG document, topic by topic. */
export const dagKind = objectKind({
  title: 'DAG',
  keys: {
    ...identityKeys,
    ...inputsKeys,
    ...environmentKeys,
    ...executionKeys,
    ...scheduleKeys,
    ...lifecycleKeys,
    ...mailKeys,
    ...recordKeys,
    ...integrationKeys,
    ...actionsKeys,
    // Read last: what the list may hold depends on the type.
    steps: keySpec('The work: a list, or a map from name to step', unread(stepsSchema)),
  },
  unsupported: {
    ...executionUnsupported,
    ...integrationUnsupported,
  },
});
