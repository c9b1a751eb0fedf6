import { findSection, replaceSection } from './profile-sections';

describe('a section', () => {
  const text =
    '; first\r\n[profile  "dev"]\r\nregion = a\r\ns3 =\r\n  size = 1\r\n[x]\na = [b]\n  [profile dev]\noutput = c\n';

  it('is found by its name, with all parts that AWS merges', () => {
    expect(findSection(text, 'profile dev')).toBe(
      '[profile  "dev"]\r\nregion = a\r\ns3 =\r\n  size = 1\r\n  [profile dev]\noutput = c\n',
    );
    expect(findSection(text, 'dev')).toBeUndefined();
  });

  it('is replaced in its place, and everything else stays', () => {
    expect(replaceSection(text, 'profile dev', '[n]\n')).toBe('; first\r\n[n]\n[x]\na = [b]\n');
    expect(replaceSection(text, 'profile dev', '')).toBe('; first\r\n[x]\na = [b]\n');
  });

  it('is added at the end, in a line of its own', () => {
    expect(replaceSection('[x]', 'n', '[n]\n')).toBe('[x]\n[n]\n');
    expect(replaceSection('', 'n', '[n]\n')).toBe('[n]\n');
  });
});
