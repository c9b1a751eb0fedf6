import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { namingSetting } from '../../host/files/file-errors';
import { publishValues } from '../call/publish-values';
import { findCommit, plainName, repositoryUrl } from './git-names';
import { remoteOptions } from './git-remote';
import { withGit, type GitOptions, type GitSession } from './git-session';

type Settings = SettingsFor<'git.checkout'>;
type Work = ActionWork<'git.clone' | 'git.checkout'>;

/** The object in the remote that `ref` names. */
type Target =
  | { readonly kind: 'branch'; readonly name: string }
  | { readonly kind: 'tag'; readonly name: string }
  | { readonly kind: 'commit'; readonly name: string };

export const gitClone: ActionExecutor<'git.clone'> = async (work) => {
  const folder = actionPath(work.call, work.settings.path, { isTree: true });
  if (!(await prepare(folder))) throw actionFailed('path is a folder that is not empty.');
  return makeClone(work, folder, work.settings);
};

export const gitCheckout: ActionExecutor<'git.checkout'> = async (work) => {
  const folder = actionPath(work.call, work.settings.path, { isTree: true });
  if (await prepare(folder)) return makeClone(work, folder, work.settings);
  // Without one of its own, git would work on a repository further up.
  if (!existsSync(join(folder, '.git'))) throw actionFailed('path contains files and is no clone.');
  return withGit(work, folder, (git) => update(work, git, { folder, settings: work.settings }));
};

/** Whether the folder is there and empty now. */
async function prepare(folder: string): Promise<boolean> {
  return namingSetting('path', async () => {
    await mkdir(folder, { recursive: true });
    return (await readdir(folder)).length === 0;
  });
}

async function makeClone(work: Work, folder: string, settings: Settings): Promise<StepOutcome | undefined> {
  const outcome = await attempt(async () =>
    withGit(work, folder, async (git) => {
      await git.run(['init', '--quiet'], { config: ['init.defaultBranch=main'] });
      return update(work, git, { folder, settings });
    }),
  );
  const isWhole = 'value' in outcome && (outcome.value === undefined || outcome.value.status === 'succeeded');
  // The folder was empty, so that all of it is what this attempt has left.
  if (!isWhole) await empty(folder);
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

async function attempt<T>(work: () => Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

interface Clone {
  readonly folder: string;
  readonly settings: Settings;
}

async function update(work: Work, git: GitSession, { folder, settings }: Clone): Promise<StepOutcome> {
  const { call, log } = work;
  const url = repositoryUrl(call, settings.repository);
  plainName('ref', settings.ref);
  await setOrigin(git, url);
  const remote = await remoteOptions(call, settings, { url, privateFolder: git.privateFolder });
  const before = await git.find(['rev-parse', '--verify', '--quiet', 'HEAD']);
  const target = await findTarget(git, settings.ref, remote);
  await fetch(git, target, { folder, settings, remote });
  await switchTo(git, target, settings.force === true);
  const commit = await git.read(['rev-parse', 'HEAD']);
  const branch = target.kind === 'branch' ? target.name : '';
  log.line(`checked out ${commit}${branch === '' ? '' : ` of ${branch}`}`);
  return publishValues({ commit, branch, changed: commit !== before }, call.maxOutputBytes);
}

async function setOrigin(git: GitSession, url: string): Promise<void> {
  const existing = await git.find(['config', '--local', '--get', 'remote.origin.url']);
  // An attempt that was cut off may have left a repository without a remote.
  if (existing === undefined) await git.run(['remote', 'add', '--', 'origin', url]);
  else if (existing !== url) throw actionFailed('path is a clone of another repository.');
}

async function findTarget(git: GitSession, ref: string | undefined, remote: GitOptions): Promise<Target> {
  const names = ref === undefined ? [] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
  const listed = await git.read(['ls-remote', '--symref', '--', 'origin', 'HEAD', ...names], remote);
  const lines = listed.split('\n').map((line) => line.split('\t'));
  if (ref === undefined) {
    const [head = ''] = lines.find(([, name]) => name === 'HEAD') ?? [];
    const [, branch] = /^ref: refs\/heads\/(.+)$/.exec(head) ?? [];
    if (branch === undefined) throw actionFailed('The repository has no default branch. Name one with ref.');
    return { kind: 'branch', name: branch };
  }
  const isListed = (name: string) => lines.some(([, each]) => each === name);
  if (isListed(`refs/heads/${ref}`)) return { kind: 'branch', name: ref };
  if (isListed(`refs/tags/${ref}`)) return { kind: 'tag', name: ref };
  if (/^[0-9a-f]{4,64}$/i.test(ref)) return { kind: 'commit', name: ref.toLowerCase() };
  throw actionFailed('ref was not found in the repository.');
}

interface Fetch extends Clone {
  readonly remote: GitOptions;
}

async function fetch(git: GitSession, target: Target, { folder, settings, remote }: Fetch): Promise<void> {
  const { depth } = settings;
  const isShallow = existsSync(join(folder, '.git', 'shallow'));
  const limited = depth !== undefined && depth > 0;
  const depths = limited ? [`--depth=${depth}`, '--no-tags'] : ['--tags'];
  const whole = depth === 0 && isShallow ? ['--unshallow'] : [];
  const refs = limited ? [refspec(target)] : ['+refs/heads/*:refs/remotes/origin/*'];
  const options = ['--quiet', '--force', '--no-recurse-submodules', ...depths, ...whole];
  await git.run(['fetch', ...options, '--', 'origin', ...refs], remote);
}

function refspec({ kind, name }: Target): string {
  if (kind === 'branch') return `+refs/heads/${name}:refs/remotes/origin/${name}`;
  return kind === 'tag' ? `+refs/tags/${name}:refs/tags/${name}` : name;
}

async function switchTo(git: GitSession, target: Target, isForced: boolean): Promise<void> {
  const { kind, name } = target;
  const force = isForced ? ['--force'] : [];
  if (kind !== 'branch') {
    const commit = await findCommit(git, 'ref', kind === 'tag' ? `refs/tags/${name}` : name);
    await git.run(['checkout', '--quiet', ...force, '--detach', commit, '--']);
    return;
  }
  const upstream = `refs/remotes/origin/${name}`;
  const local = await git.find(['rev-parse', '--verify', '--quiet', `refs/heads/${name}`]);
  if (isForced || local === undefined) {
    await git.run(['checkout', '--quiet', ...force, '-B', name, '--track', `origin/${name}`, '--']);
    return;
  }
  await git.run(['checkout', '--quiet', name, '--']);
  await git.run(['merge', '--quiet', '--ff-only', upstream]);
}
