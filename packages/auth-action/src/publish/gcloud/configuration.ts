import { readBoundedFile, smallFileBytes } from '../../runner/read-bounded-file';
import { isSystemError } from '@weir/foundation';

const marker = '# Written by an authentication step, and removed at the end of the job.';

export interface ConfigurationFields {
  /** Path of the credentials file. */
  readonly file: string;
  readonly projectId: string | undefined;
  readonly quotaProject: string | undefined;
}

/** A named configuration of gcloud. */
export function formatConfiguration({ file, projectId, quotaProject }: ConfigurationFields): string {
  const sections = [
    ['auth', 'credential_file_override', file],
    ['core', 'project', projectId],
    ['billing', 'quota_project', quotaProject],
  ] as const;
  const lines = sections.flatMap(([section, name, value]) =>
    value === undefined ? [] : [`[${section}]`, `${name} = ${value}`],
  );
  return [marker, ...lines, ''].join('\n');
}

/** `missing`, ours, or the configuration of a user, which is not changed. */
export function findOwner(file: string): 'missing' | 'action' | 'user' {
  try {
    return readBoundedFile(file, smallFileBytes).startsWith(marker) ? 'action' : 'user';
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return 'missing';
    throw error;
  }
}
