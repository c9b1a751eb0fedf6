import type { Git } from './git';
import type { RefPlan } from './plan-refs';

/** The tags and branches of a remote repository, with the commits that they are at. */
export function readRefs(git: Git, remote: string): ReadonlyMap<string, string> {
  const lines = git.text(['ls-remote', '--tags', '--heads', remote]).split('\n').filter(Boolean);
  // A line `<tag>^{}` follows that of an annotated tag, and has its commit.
  return new Map(
    lines.map((line) => {
      const [id = '', name = ''] = line.split('\t');
      return [name.replace(/\^\{\}$/, ''), id];
    }),
  );
}

/** Pushes all references or none, and fails if one has moved since they were read. */
export function pushRefs(git: Git, remote: string, commit: string, { updates }: RefPlan): void {
  const leases = updates.map(({ name, before = '' }) => `--force-with-lease=${name}:${before}`);
  git.text(['push', '--quiet', '--atomic', ...leases, remote, ...updates.map(({ name }) => `${commit}:${name}`)]);
}
