import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineLoader } from 'vitepress';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

interface Service {
  readonly id: string;
  readonly name: string;
  readonly groups: readonly { readonly tag: string; readonly operations: readonly Operation[] }[];
}

interface OpenApiDocument {
  readonly paths: Record<string, Record<string, { readonly summary?: string; readonly tags?: readonly string[] }>>;
}

const root = path.resolve(import.meta.dirname, '../..');

function readService(id: string, name: string, file: string): Service {
  const { paths } = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as OpenApiDocument;
  const groups = new Map<string, Operation[]>();
  for (const [address, methods] of Object.entries(paths)) {
    for (const [method, { summary = '', tags = ['other'] }] of Object.entries(methods)) {
      const tag = tags[0] ?? 'other';
      groups.set(tag, [...(groups.get(tag) ?? []), { method: method.toUpperCase(), path: address, summary }]);
    }
  }
  return { id, name, groups: [...groups].map(([tag, operations]) => ({ tag, operations })) };
}

declare const data: readonly Service[];
export { data };

export default defineLoader({
  watch: ['../../packages/*-contract/openapi.json'],
  load: () => [
    readService('workflow-server', 'Workflow server', 'packages/workflow-contract/openapi.json'),
    readService('rollout-proxy', 'Rollout proxy', 'packages/rollout-contract/openapi.json'),
  ],
});
