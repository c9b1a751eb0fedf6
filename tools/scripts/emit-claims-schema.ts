import { claimsJsonSchema } from '@weir/oidc-claims/docs';
import { emitDocument } from './emit-document';

void emitDocument({
  file: 'packages/oidc-claims/claims.schema.json',
  content: claimsJsonSchema(),
  command: 'npx nx emit-schema oidc-claims',
});
