// Lints source code with the repository's own ESLint configuration, each as if it stood in the file that it names.
// Standard input: [{ file, text }]; standard output: for each sample a list of { rule, message }.
// A process of its own, because Jest cannot load an ES module configuration.
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';
import path from 'node:path';
import { json } from 'node:stream/consumers';

const root = path.resolve(import.meta.dirname, '../..');
process.chdir(root);

const samples = await json(process.stdin);
// The rule only warns and lets everything pass when Nx has left no graph behind.
await createProjectGraphAsync({ exitOnError: false });

const eslint = new ESLint({ cwd: root });
const results = [];
for (const { file, text } of samples) {
  const [result] = await eslint.lintText(text, { filePath: path.join(root, file) });
  results.push(result.messages.map(({ ruleId, message }) => ({ rule: ruleId, message })));
}
process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit());
