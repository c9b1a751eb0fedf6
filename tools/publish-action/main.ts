// Publishes HEAD of the auth action as the root of a repository of its own, so that a workflow can name it in `uses`.
//
//   node tools/setup/tsx.mjs tools/publish-action/main.ts            prints what it would publish
//     --repository OWNER/NAME    that repository, which the pages name in their examples
//     --tag                      creates the tag auth-action-v<version> here
//     --output <folder>          writes the files into a new folder
//     --push <remote>            pushes the commit, v<MAJOR>.<MINOR>.<PATCH>, v<MAJOR> and main
//     --source <folder>          another checkout than this one
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeExportCommit } from './export-commit';
import { exportFiles, type ActionExport } from './exported-files';
import { placeholderRepository } from './exported-pages';
import { createGit, Refusal, type Git } from './git';
import { planRefs, shortName } from './plan-refs';
import { pushRefs, readRefs } from './publish-commit';
import { checkSourceTree, createSourceTag, requireSourceTag } from './source-tree';

interface Options {
  readonly repository: string;
  readonly source: string;
  readonly tag: boolean;
  readonly output: string | undefined;
  readonly push: string | undefined;
}

function main(options: Options): void {
  const git = createGit(options.source);
  checkSourceTree(git, options.source);
  const head = git.text(['rev-parse', 'HEAD']);
  const exported = exportFiles(git, head, options.repository);
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-export-'));
  try {
    const repository = path.join(folder, 'export.git');
    const commit = writeExportCommit(exported, git, head, repository);
    console.log(`${exported.name} ${exported.version}: commit ${commit}, from ${head}`);
    for (const [file, bytes] of exported.files) console.log(`  ${file}: ${bytes.length} bytes`);
    if (options.tag) createSourceTag(git, exported.version, head);
    if (options.output !== undefined) writeFiles(exported, options.output);
    if (options.push === undefined) return;
    requireSourceTag(git, exported.version, head);
    publish(createGit(repository), options.push, exported.version, commit);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function publish(git: Git, remote: string, version: string, commit: string): void {
  const plan = planRefs(version, commit, readRefs(git, remote));
  if (plan.updates.length > 0) pushRefs(git, remote, commit, plan);
  for (const { name, before } of plan.updates) {
    console.log(`${before === undefined ? 'created' : 'moved'} ${shortName(name)}`);
  }
  for (const note of plan.notes) console.log(note);
  if (plan.updates.length === 0) console.log('Nothing to publish: the release is there.');
}

function writeFiles({ files }: ActionExport, folder: string): void {
  mkdirSync(folder);
  for (const [file, bytes] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), bytes);
  }
}

function readOptions(): Options {
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
  main(readOptions());
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}
