export { workflowOpenApi } from './document';
