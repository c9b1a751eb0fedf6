import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { releaseVersion } from 'nx/release';
import { closeChangelog } from './close-changelog';
import { readVersion, writeVersion } from './product-version';

export interface PrepareOptions {
  readonly root: string;
  /** `patch`, `minor`, `major`, or a version. */
  readonly specifier: string;
  /** Says what would change, and changes nothing. */
  readonly isDryRun: boolean;
  readonly report: (line: string) => void;
}

const specifierForm = /^(patch|minor|major|\d+\.\d+\.\d+)$/;

/** Sets the next version, closes the changelog, and commits both with the tag `v<version>`. Pushing is left to a person. */
export async function prepareRelease({ root, specifier, isDryRun, report }: PrepareOptions): Promise<string> {
  if (!specifierForm.test(specifier)) throw new Error(`"${specifier}" is not patch, minor, major or a version.`);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  if (!isDryRun && git('status', '--porcelain') !== '') throw new Error('There are changes that are not committed.');
  const { workspaceVersion } = await releaseVersion({ specifier, dryRun: isDryRun });
  if (!workspaceVersion) throw new Error('Nx found no next version.');
  const changelog = path.join(root, 'CHANGELOG.md');
  const date = new Date().toISOString().slice(0, 10);
  const { text, notes } = closeChangelog(readFileSync(changelog, 'utf8'), { version: workspaceVersion, date });
  report(`${readVersion(root)} -> ${workspaceVersion}, with ${notes.match(/^- /gm)?.length ?? 0} entries`);
  if (isDryRun) return workspaceVersion;
  writeVersion(root, workspaceVersion);
  writeFileSync(changelog, text);
  git('add', '--all');
  git('commit', '--quiet', '--message', `chore(release): ${workspaceVersion}`);
  git('tag', '--annotate', '--message', notes, `v${workspaceVersion}`);
  report(`committed; push it with: git push --follow-tags`);
  return workspaceVersion;
}
