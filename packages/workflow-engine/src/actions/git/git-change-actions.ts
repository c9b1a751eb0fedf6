import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionCall, ActionExecutor } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { publishValues } from '../call/publish-values';
import { branchRef, findCommit, plainName } from './git-names';
import { remoteOptions } from './git-remote';
import { withGit, type GitSession } from './git-session';

/** Names of files mean themselves: no patterns, and none is an option. */
const literal = { env: { GIT_LITERAL_PATHSPECS: '1' } };

export const gitCommit: ActionExecutor<'git.commit'> = (work) => {
  const { call, settings, log } = work;
  return withGit(work, workingTree(call, settings.path), async (git) => {
    const files = settings.files ?? [];
    await git.run(['add', '--all', '--', ...(files.length === 0 ? [':/'] : files)], files.length === 0 ? {} : literal);
    const staged = await git.read(['diff', '--cached', '--name-only', '--', ...files], literal);
    const changed = staged === '' ? 0 : staged.split('\n').length;
    if (changed === 0 && settings.allow_empty !== true) {
      log.line('nothing to commit');
      const head = await git.find(['rev-parse', '--verify', '--quiet', 'HEAD']);
      return publishValues({ committed: false, commit: head ?? '', files: 0 }, call.maxOutputBytes);
    }
    const message = join(git.privateFolder, 'message');
    await writeFile(message, settings.message);
    const empty = settings.allow_empty === true ? ['--allow-empty'] : [];
    const only = files.length === 0 ? [] : ['--only', '--', ...files];
    const env = { ...literal.env, ...authorVariables(settings) };
    await git.run(['commit', '--quiet', `--file=${message}`, ...empty, ...only], { env });
    const commit = await git.read(['rev-parse', 'HEAD']);
    log.line(`committed ${commit}`);
    return publishValues({ committed: true, commit, files: changed }, call.maxOutputBytes);
  });
};

export const gitPush: ActionExecutor<'git.push'> = (work) => {
  const { call, settings, log } = work;
  return withGit(work, workingTree(call, settings.path), async (git) => {
    const remote = plainName('remote', settings.remote ?? 'origin');
    const url = await git.find(['remote', 'get-url', '--push', '--', remote]);
    if (url === undefined) throw actionFailed('remote is none of the repository.');
    const branch = settings.branch ?? (await currentBranch(git));
    const source = await branchRef(git, 'branch', branch);
    const commit = await findCommit(git, 'branch', source);
    const target = await branchRef(git, 'destination', settings.destination ?? branch);
    const options = [
      ...(settings.force === true ? ['--force-with-lease'] : []),
      ...(settings.set_upstream === true ? ['--set-upstream'] : []),
      ...(settings.tags === true ? ['--tags'] : []),
    ];
    const access = await remoteOptions(call, settings, { url, privateFolder: git.privateFolder });
    await git.run(['push', '--quiet', ...options, '--', remote, `${source}:${target}`], access);
    log.line(`pushed ${commit}`);
    return publishValues({ branch, commit }, call.maxOutputBytes);
  });
};

export const gitDiff: ActionExecutor<'git.diff'> = (work) => {
  const { call, settings, log } = work;
  return withGit(work, workingTree(call, settings.path), async (git) => {
    const base = await findCommit(git, 'base', settings.base ?? 'HEAD');
    const ref = settings.ref === undefined ? [] : [await findCommit(git, 'ref', settings.ref)];
    const staged = settings.staged === true ? ['--cached'] : [];
    const compared = [...staged, base, ...ref, '--', ...(settings.files ?? [])];
    const numbers = ['diff', ...plain, '--numstat', '-z', '--no-renames', ...compared];
    const changes = parseNumbers(await git.read(numbers, literal));
    if (settings.output_format === 'json') log.line(JSON.stringify(changes));
    else await git.run(['diff', ...plain, ...formats[settings.output_format ?? 'patch'], ...compared], literal);
    return publishValues({ changed: changes.length > 0, files: changes.length }, call.maxOutputBytes);
  });
};

/** Neither programs nor colours of the host's configuration. */
const plain = ['--no-ext-diff', '--no-textconv', '--no-color'] as const;

const formats = {
  patch: ['--patch'],
  names: ['--name-only'],
  stat: ['--stat'],
} as const;

function workingTree(call: ActionCall, path = '.'): string {
  return actionPath(call, path);
}

async function currentBranch(git: GitSession): Promise<string> {
  const found = await git.find(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (found === undefined) throw actionFailed('The working tree is on no branch. Name one with branch.');
  return found;
}

function authorVariables({ author_name: name, author_email: email }: SettingsFor<'git.commit'>) {
  return {
    ...(name === undefined ? {} : { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email === undefined ? {} : { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  };
}

/** `added TAB removed TAB path NUL`; a binary file has dashes for numbers. */
function parseNumbers(text: string) {
  return text.split('\0').flatMap((line) => {
    const [added, removed, path] = line.split('\t');
    if (added === undefined || removed === undefined || path === undefined) return [];
    const isBinary = added === '-';
    return [
      { path, added: isBinary ? null : Number(added), removed: isBinary ? null : Number(removed), binary: isBinary },
    ];
  });
}
