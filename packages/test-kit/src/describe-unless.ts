/**
 * Jest's `describe`, or `describe.skip` and a warning with the reason on a machine that lacks a requirement.
 */
export function describeUnless(missing: string | undefined, skipped: string): jest.Describe {
  if (missing === undefined) return describe;
  // Within a case, because Jest prints nothing for a file that only skips.
  it('reports what is skipped', () => {
    // oxlint-disable-next-line no-console -- must be visible in the results
    console.warn(`SKIPPED: ${skipped}: ${missing}`);
    expect(missing).not.toBe('');
  });
  return describe.skip;
}
