import { dagSchema } from '@weir/workflow-spec/editor';
import { emitDocument } from './emit-document';

void emitDocument({
  file: 'packages/workflow-spec/dag.schema.json',
  content: dagSchema(),
  command: 'npx nx emit-schema workflow-spec',
});
