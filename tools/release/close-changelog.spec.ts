import { closeChangelog } from './close-changelog';

const release = { version: '0.2.0', date: '2026-11-24' };
const text = `# Changelog

## Unreleased

### Changed

- workflow-api: runs faster.
- auth-action: reads a file.
- rollout-proxy: takes less memory.

### Fixed

- auth-action: closes it.

## 0.1.0 (2026-01-01)

- First release.
`;

describe('closeChangelog', () => {
  it('makes a release of what is unreleased, and leaves the entries of the action for its own', () => {
    const { text: closed, notes } = closeChangelog(text, release);

    expect(notes).toBe('### Changed\n\n- workflow-api: runs faster.\n- rollout-proxy: takes less memory.');
    expect(closed).toBe(`# Changelog

## Unreleased

### Changed

- auth-action: reads a file.

### Fixed

- auth-action: closes it.

## 0.2.0 (2026-11-24)

### Changed

- workflow-api: runs faster.
- rollout-proxy: takes less memory.

## 0.1.0 (2026-01-01)

- First release.
`);
  });

  it.each([
    ['without an unreleased part', '# Changelog\n\n## 0.1.0\n\n- First.\n', 'has no "## Unreleased"'],
    ['with entries of the action only', '# Changelog\n\n## Unreleased\n\n- auth-action: x.\n', 'no unreleased entry'],
  ])('refuses a file %s', (_, refused, message) => {
    expect(() => closeChangelog(refused, release)).toThrow(message);
  });
});
