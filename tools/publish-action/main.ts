// Publishes HEAD of the auth action as the root of a repository of its own, so that a workflow can name it in `uses`.
//
//   node tools/setup/tsx.mjs tools/publish-action/main.ts            prints what it would publish
//     --repository OWNER/NAME    that repository, which the pages name in their examples
//     --tag                      creates the tag auth-action-v<version> here
//     --output <folder>          writes the files into a new folder
//     --push <remote>            pushes the commit, v<MAJOR>.<MINOR>.<PATCH>, v<MAJOR> and main
//     --source <folder>          another checkout than this one
import path from 'node:path';
import { parseArgs } from 'node:util';
import { placeholderRepository } from './exported-pages';
import { Refusal } from './git';
import { publishAction, type PublishOptions } from './publish-action';

function readOptions(): PublishOptions {
  const { values } = parseArgs({
    options: {
      repository: { type: 'string', default: placeholderRepository },
      source: { type: 'string', default: path.resolve(__dirname, '../..') },
      tag: { type: 'boolean', default: false },
      output: { type: 'string' },
      push: { type: 'string' },
    },
  });
  if (!/^[\w.-]+\/[\w.-]+$/.test(values.repository)) throw new Refusal(`${values.repository} is not OWNER/NAME.`);
  return { ...values, output: values.output, push: values.push };
}

try {
  publishAction(readOptions(), (line) => console.log(line));
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}
