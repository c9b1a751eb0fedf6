import { objectKind, keySpec } from '../../shapes/object-kind';
import { rawShape } from '../../shapes/shapes';
import { stepsSchema } from '../step-keys/steps-schema';
import { actionsKeys } from './actions-keys';
import { environmentKeys } from './environment-keys';
import { executionKeys, executionUnsupported } from './execution-keys';
import { identityKeys } from './identity-keys';
import { inputKeys } from './input-keys';
import { integrationKeys } from './integration-keys';
import { lifecycleKeys } from './lifecycle-keys';
import { mailKeys } from './mail-keys';
import { storageKeys } from './storage-keys';
import { scheduleKeys } from './schedule-keys';

/** The root keys of a DAG document, grouped by topic. */
export const dagKind = objectKind({
  title: 'DAG',
  keys: {
    ...identityKeys,
    ...inputKeys,
    ...environmentKeys,
    ...executionKeys,
    ...scheduleKeys,
    ...lifecycleKeys,
    ...mailKeys,
    ...storageKeys,
    ...integrationKeys,
    ...actionsKeys,
    // Steps are read last, because the type of the DAG decides which forms the list may have.
    steps: keySpec('The steps: a list, or a map from name to step', rawShape(stepsSchema)),
  },
  unsupported: executionUnsupported,
});
