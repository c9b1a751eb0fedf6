/**
 * Jest's `describe`; on a machine that lacks something, `describe.skip` and a line in the results that says why, and
 * what was not proved.
 */
export function describeUnless(missing: string | undefined, notProved: string): jest.Describe {
  if (missing === undefined) return describe;
  // Within a case: of a file that only skips, Jest prints nothing at all.
  it('tells what was not proved', () => {
    // eslint-disable-next-line no-console -- whoever reads the results must see it
    console.warn(`SKIPPED: ${notProved}: ${missing}`);
    expect(missing).not.toBe('');
  });
  return describe.skip;
}
