const versionForm = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/;

/** Releases are `MAJOR.MINOR.PATCH`; there are no pre-releases. */
export function isReleaseVersion(version: string): boolean {
  return versionForm.test(version);
}

export function majorOf(version: string): string {
  return version.split('.', 1).join('');
}

export function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}
