// Writes packages/workflow-contract/openapi.json; with `--check` it only compares and exits 1 on a difference.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { workflowOpenApi } from '@weir/workflow-contract/openapi';
import { format } from 'prettier';

const file = path.resolve(__dirname, '../../packages/workflow-contract/openapi.json');

async function main(): Promise<void> {
  const text = await format(JSON.stringify(workflowOpenApi('/api/v1')), { parser: 'json', printWidth: 120 });
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
    return;
  }
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed === text) return;
  console.error(
    'packages/workflow-contract/openapi.json is not what the contract emits. Run: npx nx emit-openapi workflow-contract',
  );
  process.exitCode = 1;
}

void main();
