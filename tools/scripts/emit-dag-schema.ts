// Writes packages/workflow-spec/dag.schema.json; with `--check` it only compares and exits 1 on a difference.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dagSchema } from '@weir/workflow-spec';
import { format } from 'prettier';

const file = path.resolve(__dirname, '../../packages/workflow-spec/dag.schema.json');

async function main(): Promise<void> {
  const text = await format(JSON.stringify(dagSchema()), { parser: 'json', printWidth: 120 });
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
    return;
  }
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed === text) return;
  console.error(
    'packages/workflow-spec/dag.schema.json is not what the language emits. Run: npx nx emit-schema workflow-spec',
  );
  process.exitCode = 1;
}

void main();
