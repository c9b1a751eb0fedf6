/** The maximum size of `google.subject` in UTF-8 bytes, as Google's token exchange accepts it. */
export const maxSubjectBytes = 127;

/** Length of a subject in UTF-8 bytes, the unit of {@link maxSubjectBytes}. */
export function subjectByteLength(sub: string): number {
  return new TextEncoder().encode(sub).length;
}
