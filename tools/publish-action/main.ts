// Publishes HEAD of the auth action as the root of a repository of its own, so that a workflow can name it in `uses`.
//
//   node tools/setup/tsx.mjs tools/publish-action/main.ts            prints what it would publish
//     --repository OWNER/NAME    that repository, which the pages name in their examples
//     --tag                      creates the tag auth-action-v<version> here
//     --output <folder>          writes the files into a new folder
//     --push <remote>            pushes the commit, v<MAJOR>.<MINOR>.<PATCH>, v<MAJOR> and main
//     --release draft|published  then makes the release of the tag with the GitHub CLI, as a draft or immutable
//     --asset <file>             attaches a file to the release; may be repeated
//     --source <folder>          another checkout than this one
import path from 'node:path';
import { parseArgs } from 'node:util';
import { placeholderRepository } from './exported-pages';
import { Refusal } from './git';
import { publishAction, type PublishOptions } from './publish-action';
import { createGh } from './release';

function readOptions(): PublishOptions {
  const { values } = parseArgs({
    options: {
      repository: { type: 'string', default: placeholderRepository },
      source: { type: 'string', default: path.resolve(__dirname, '../..') },
      tag: { type: 'boolean', default: false },
      output: { type: 'string' },
      push: { type: 'string' },
      release: { type: 'string' },
      asset: { type: 'string', multiple: true, default: [] },
    },
  });
  const { repository, source, tag, output, push, release, asset: assets } = values;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Refusal(`${repository} is not OWNER/NAME.`);
  return { repository, source, tag, output, push, release: readRelease(release, push, assets) };
}

function readRelease(
  state: string | undefined,
  push: string | undefined,
  assets: readonly string[],
): PublishOptions['release'] {
  if (state === undefined && assets.length === 0) return undefined;
  if (state !== 'draft' && state !== 'published') throw new Refusal('--release is draft or published.');
  if (push === undefined) throw new Refusal('--release needs --push: a release is of a tag that is there.');
  return { gh: createGh(), isDraft: state === 'draft', assets };
}

try {
  publishAction(readOptions(), (line) => console.log(line));
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}
