import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeExportCommit } from './export-commit';
import { exportFiles, type ActionExport } from './exported-files';
import { createGit, type Git } from './git';
import { planRefs, shortName, type RefPlan } from './plan-refs';
import { pushRefs, readRefs } from './publish-commit';
import { createRelease, findRelease, type Gh } from './release';
import { checkSourceTree, createSourceTag, requireSourceTag } from './source-tree';

export interface PublishOptions {
  /** `OWNER/NAME` of the action's repository. */
  readonly repository: string;
  /** A checkout of this repository. */
  readonly source: string;
  /** Whether to create the tag of the release in the source. */
  readonly tag: boolean;
  /** A new folder for the files. */
  readonly output: string | undefined;
  /** The remote to push to. */
  readonly push: string | undefined;
  /** What becomes of the release on GitHub after the push. */
  readonly release: ReleaseOptions | undefined;
}

export interface ReleaseOptions {
  readonly gh: Gh;
  readonly isDraft: boolean;
  /** Files to attach. */
  readonly assets: readonly string[];
}

type Print = (line: string) => void;

/** Exports HEAD of the source and does what the options ask for. Throws a `Refusal` before anything is pushed. */
export function publishAction(options: PublishOptions, print: Print): void {
  const git = createGit(options.source);
  checkSourceTree(git, options.source);
  const head = git.text(['rev-parse', 'HEAD']);
  const exported = exportFiles(git, head, options.repository);
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-export-'));
  try {
    const repository = path.join(folder, 'export.git');
    const commit = writeExportCommit(exported, git, head, repository);
    print(`${exported.name} ${exported.version}: commit ${commit}, from ${head}`);
    for (const [file, bytes] of exported.files) print(`  ${file}: ${bytes.length} bytes`);
    if (options.tag) createSourceTag(git, exported.version, head);
    if (options.output !== undefined) writeFiles(exported, options.output);
    if (options.push === undefined) return;
    const { version } = exported;
    requireSourceTag(git, version, head);
    const target = { repository: options.repository, version };
    const state = options.release && findRelease(options.release.gh, target);
    const { isNewest } = publish(createGit(repository), options.push, { version, commit }, print);
    if (options.release === undefined || state === undefined) return;
    const { gh, isDraft, assets } = options.release;
    createRelease(gh, { ...target, exported, commit, source: head, isNewest, assets, isDraft }, state);
    print(
      state === 'published'
        ? 'The release is published.'
        : `${isDraft ? 'drafted' : 'published'} the release v${version}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Release {
  readonly version: string;
  readonly commit: string;
}

function publish(git: Git, remote: string, { version, commit }: Release, print: Print): RefPlan {
  const plan = planRefs(version, commit, readRefs(git, remote));
  if (plan.updates.length > 0) pushRefs(git, remote, commit, plan);
  for (const { name, before } of plan.updates) {
    print(`${before === undefined ? 'created' : 'moved'} ${shortName(name)}`);
  }
  for (const note of plan.notes) print(note);
  if (plan.updates.length === 0) print('Nothing to push: the tags are there.');
  return plan;
}

function writeFiles({ files }: ActionExport, folder: string): void {
  mkdirSync(folder);
  for (const [file, bytes] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), bytes);
  }
}
