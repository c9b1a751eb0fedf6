import type { PackageReference } from '../../model/packaged-action';

const name = '[A-Za-z0-9][A-Za-z0-9_.-]*';
const version = '[A-Za-z0-9][A-Za-z0-9_./+-]*';
const hosted = new RegExp(`^(?:(${name})/)?(${name})@(${version})$`);
const explicit = new RegExp(`^source:(\\S+)@(${version})$`);
const addresses = /^(?:https?:\/\/[^\s@/]+\/\S*|ssh:\/\/[^\s-]\S*|file:\/\/\/\S*|\/\S*)$/;

/** The owner of actions without an owner in their name. */
const commonOwner = 'dagucloud';

/**
 * Reads `owner/name@version`, `name@version` and `source:address@version`. Returns `undefined` for any other text,
 * such as the name of an action of this version.
 */
export function parsePackageReference(text: string): PackageReference | { readonly problem: string } | undefined {
  const [, owner, repository = '', tag] = hosted.exec(text) ?? [];
  if (tag !== undefined) {
    const path = owner === undefined ? `${commonOwner}/action-${repository}` : `${owner}/${repository}`;
    return isPlain(tag) && isPlain(path)
      ? { text, repository: { path }, version: tag }
      : { problem: 'must not contain ".."' };
  }
  if (!text.startsWith('source:')) return undefined;
  const [, url = '', sourceVersion] = explicit.exec(text) ?? [];
  if (sourceVersion === undefined) return { problem: 'must end with "@" and a version' };
  if (!addresses.test(url)) {
    return { problem: 'must have an absolute path, or an address with https, ssh or file and without credentials' };
  }
  return isPlain(sourceVersion)
    ? { text, repository: { url }, version: sourceVersion }
    : { problem: 'must not contain ".."' };
}

function isPlain(text: string): boolean {
  return !text.includes('..');
}
