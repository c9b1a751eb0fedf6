/** Every operation by its path and its method, as the OpenAPI document has it. */
export type { paths as Paths } from './generated/rollout-api';
