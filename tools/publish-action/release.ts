import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ActionExport } from './exported-files';
import { Refusal } from './git';
import { majorOf } from './version';

/** Runs the GitHub CLI and returns what it prints. Throws a `Refusal` with its message if it fails. */
export type Gh = (args: readonly string[], input?: string) => string;

export function createGh(program = 'gh'): Gh {
  return (args, input = '') => {
    const { status, stdout, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8', timeout: 120_000 });
    if (error !== undefined) throw new Refusal(`gh did not run: ${error.message}`);
    if (status !== 0) throw new Refusal(`gh ${args.slice(0, 2).join(' ')} failed: ${stderr.trim()}`);
    return stdout;
  };
}

export interface ReleaseTarget {
  /** `OWNER/NAME` of the action's repository. */
  readonly repository: string;
  readonly version: string;
}

export type ReleaseState = 'missing' | 'draft' | 'published';

interface FoundRelease {
  readonly tag_name: string;
  readonly draft: boolean;
  readonly immutable?: boolean;
}

/**
 * Whether there is a release of the version. Throws a `Refusal` if a release could not be immutable, or if one would
 * lock the tag of the line, which has to move.
 */
export function findRelease(gh: Gh, { repository, version }: ReleaseTarget): ReleaseState {
  requireImmutableReleases(gh, repository);
  const list = gh(['api', '--paginate', '--slurp', `repos/${repository}/releases?per_page=100`]);
  const releases = (JSON.parse(list) as readonly (readonly FoundRelease[])[]).flat();
  const line = `v${majorOf(version)}`;
  if (releases.some(({ tag_name: tag }) => tag === line)) {
    throw new Refusal(`${line} has a release, which keeps the tag from moving. Delete that release.`);
  }
  const found = releases.find(({ tag_name: tag }) => tag === `v${version}`);
  if (found === undefined) return 'missing';
  if (found.draft) return 'draft';
  if (found.immutable !== true) {
    throw new Refusal(`The release v${version} is published and can be changed. Raise the version.`);
  }
  return 'published';
}

function requireImmutableReleases(gh: Gh, repository: string): void {
  const advice = `Enable release immutability in the settings of ${repository}, and let the token read its administration.`;
  let answer: string;
  try {
    answer = gh(['api', `repos/${repository}/immutable-releases`]);
  } catch (error) {
    // GitHub answers 404 where the setting is off.
    throw error instanceof Refusal ? new Refusal(`${error.message}\n${advice}`) : error;
  }
  if ((JSON.parse(answer) as { readonly enabled?: boolean }).enabled !== true) throw new Refusal(advice);
}

export interface NewRelease extends ReleaseTarget {
  readonly exported: ActionExport;
  /** The commit in the action's repository, and the one of the sources. */
  readonly commit: string;
  readonly source: string;
  /** Whether no version is newer. */
  readonly isNewest: boolean;
  /** Files to attach besides the checksums. */
  readonly assets: readonly string[];
  /** Whether it remains a draft, which a person lists on the Marketplace and publishes. */
  readonly isDraft: boolean;
}

/** Publishes the release last: its tag and files are locked from then on. A draft of an earlier attempt is completed. */
export function createRelease(gh: Gh, release: NewRelease, state: ReleaseState): void {
  if (state === 'published') return;
  const { repository, version, exported, assets, isDraft, isNewest } = release;
  const tag = `v${version}`;
  const at = ['--repo', repository];
  if (state === 'missing') {
    const settings = ['--verify-tag', '--draft', '--title', tag, '--notes-file', '-'];
    gh(['release', 'create', tag, ...at, ...settings], releaseNotes(release));
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-release-'));
  try {
    const checksums = path.join(folder, 'SHA256SUMS');
    writeFileSync(checksums, formatChecksums(exported));
    gh(['release', 'upload', tag, ...at, '--clobber', checksums, ...assets]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (!isDraft) gh(['release', 'edit', tag, ...at, '--draft=false', `--latest=${String(isNewest)}`]);
}

function formatChecksums({ files }: ActionExport): string {
  return [...files]
    .map(([file, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`)
    .toSorted((left, right) => (left.slice(66) < right.slice(66) ? -1 : 1))
    .join('');
}

function releaseNotes({ exported, repository, version, commit, source }: NewRelease): string {
  const changelog = exported.files.get('CHANGELOG.md')?.toString() ?? '';
  const entries = changelog.split(/^(?=## )/m).find((section) => section.startsWith(`## ${version}\n`)) ?? '';
  return [
    entries.split('\n').slice(1).join('\n').trim(),
    `\`\`\`yaml\n- uses: ${repository}@${commit} # v${version}\n\`\`\``,
    `Made from commit ${source} of the sources. The page about forks says how to verify that.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}
