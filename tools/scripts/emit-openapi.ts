import path from 'node:path';
import { rolloutOpenApi } from '@weir/rollout-contract/openapi';
import { workflowOpenApi } from '@weir/workflow-contract/openapi';
import { emitDocument } from './emit-document';

const documents: Readonly<Record<string, () => object>> = {
  'workflow-contract': () => workflowOpenApi('/api/v1'),
  'rollout-contract': () => rolloutOpenApi('/'),
};

// Run as a script of the package whose document it is.
const name = path.basename(process.cwd());
const emit = documents[name];
if (emit === undefined) throw new Error(`There is no OpenAPI document of ${name}.`);
void emitDocument({
  file: `packages/${name}/openapi.json`,
  content: emit(),
  command: `npx nx emit-openapi ${name}`,
});
