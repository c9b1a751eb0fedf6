export { changesRights, takesRemoteNode, workflowContract } from './contract';
export { boundedDagSchemaEndpoint, dagSchemaEndpoint } from './system/dag-schema-endpoint';

export { areas, type Area } from './common/areas';
export { objectRoles } from './common/object-roles';
export { roleIncludes, roles, UserRole } from './common/roles';

export { workspaceSelection, type WorkspaceQuery, type WorkspaceSelection } from './common/parameters';
export { everyWorkspace, WorkspaceAccess, workspaceAccessProblem } from './common/workspace-access';

export { maxPerPage, pageRequest, paginate, type PageRequest } from './common/paging';

export { readMemoryLines } from './agent/memory-schemas';
export { readHumanTask, type HumanTask } from './dags/human-task';
export { profileLimits } from './profiles/schemas';
export { maxSecretBytes } from './secrets/schemas';
export { maxPasswordLength, minPasswordLength } from './users/schemas';
export { maxWebhookPayloadBytes } from './webhooks/schemas';
