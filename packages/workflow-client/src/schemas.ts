import type { components, paths } from './generated/workflow-api';

/** Every operation by its path and its method, as in the OpenAPI document. */
export type Paths = paths;

/** The shapes of requests and responses by their names in the OpenAPI document. */
export type Schemas = components['schemas'];
