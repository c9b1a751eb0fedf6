import { createHash } from 'node:crypto';
import { dagSchema } from '@weir/workflow-spec';
import { Router } from 'express';

/** Where editors find the JSON Schema of DAG files, after the base path. */
export const dagSchemaPath = '/schemas/dag.schema.json';

/** Serves the JSON Schema to everybody: an editor has no credential, and it tells nothing of this installation. */
export function schemaRoute(): Router {
  const router = Router();
  const text = `${JSON.stringify(dagSchema())}\n`;
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  router.get(dagSchemaPath, (_req, res) => {
    // With the tag, Express answers 304 where the caller has it already.
    res.set({ etag, 'cache-control': 'public, max-age=3600' }).type('application/schema+json').send(text);
  });
  return router;
}
