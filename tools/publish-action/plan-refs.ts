import { Refusal } from './git';
import { compareVersions, isReleaseVersion, majorOf } from './version';

/** A reference of the action's repository to create, or to move from `before`. */
export interface RefUpdate {
  readonly name: string;
  readonly before: string | undefined;
}

export interface RefPlan {
  readonly updates: readonly RefUpdate[];
  /** Why references that would usually follow a release remain. */
  readonly notes: readonly string[];
  /** Whether no released version is newer. */
  readonly isNewest: boolean;
}

const branch = 'refs/heads/main';

/**
 * The references for a release: `v<MAJOR>.<MINOR>.<PATCH>` never moves, `v<MAJOR>` follows the newest release of its
 * line, and the branch `main` the newest of all. Throws a `Refusal` if the version was released with other content.
 */
export function planRefs(version: string, commit: string, existing: ReadonlyMap<string, string>): RefPlan {
  const exact = `refs/tags/v${version}`;
  const released = existing.get(exact);
  if (released !== undefined && released !== commit) {
    throw new Refusal(`v${version} is already at ${released} and never moves. Raise the version to release ${commit}.`);
  }
  const others = [...existing.keys()].flatMap((name) => {
    const other = name.replace('refs/tags/v', '');
    return isReleaseVersion(other) && compareVersions(other, version) > 0 ? [other] : [];
  });
  const newest = others.toSorted(compareVersions).at(-1);
  const newestOfLine = others
    .filter((other) => majorOf(other) === majorOf(version))
    .toSorted(compareVersions)
    .at(-1);
  const followers = [
    { name: `refs/tags/v${majorOf(version)}`, newer: newestOfLine },
    { name: branch, newer: newest },
  ];
  const wanted = [exact, ...followers.flatMap(({ name, newer }) => (newer === undefined ? [name] : []))];
  return {
    updates: wanted
      .filter((name) => existing.get(name) !== commit)
      .map((name) => ({ name, before: existing.get(name) })),
    notes: followers.flatMap(({ name, newer }) =>
      newer === undefined ? [] : [`${shortName(name)} remains, because there is a newer v${newer}.`],
    ),
    isNewest: newest === undefined,
  };
}

export function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:tags|heads)\//, '');
}
