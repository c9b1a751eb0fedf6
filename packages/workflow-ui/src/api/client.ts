import { createWorkflowClient } from '@weir/workflow-client';
import { apiAddress } from './api-address';

export type { Schemas } from '@weir/workflow-client';

/** The operations of the server. The session cookie is the credential. */
export const api = createWorkflowClient({ baseUrl: apiAddress });
