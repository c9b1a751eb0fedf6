import { describeError } from '../../runner/describe-error';
import { readUserFile } from '../../runner/read-bounded-file';
import type { ProfileSection, ProfileState } from '../../runner/state';
import { findSection, replaceSection, writeProfileFile } from './profile-sections';

/** Removes the profile, or restores the one that it replaced. Returns a warning on failure. */
export function removeProfile({ sections }: ProfileState): string | undefined {
  const warnings = sections.flatMap((section) => removeSection(section) ?? []);
  return warnings.length === 0 ? undefined : warnings.join(' ');
}

function removeSection({ file, name, mark, previous }: ProfileSection): string | undefined {
  try {
    const text = readUserFile(file);
    const found = findSection(text, name);
    if (found === undefined) return undefined;
    if (!found.split(/\r?\n/).includes(mark)) throw new Error('it was replaced');
    writeProfileFile(file, replaceSection(text, name, previous ?? ''));
    return undefined;
  } catch (error) {
    return `The section [${name}] in ${file} was not removed (${describeError(error)}).`;
  }
}
