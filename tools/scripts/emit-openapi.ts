import { workflowOpenApi } from '@weir/workflow-contract/openapi';
import { emitDocument } from './emit-document';

void emitDocument({
  file: 'packages/workflow-contract/openapi.json',
  content: workflowOpenApi('/api/v1'),
  command: 'npx nx emit-openapi workflow-contract',
});
