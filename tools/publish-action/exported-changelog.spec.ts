import { exportChangelog } from './exported-changelog';

const text = `# Changelog

## Unreleased

### Changed

- workflow-api: starts faster.

### Added

- auth-action: the output \`auth_token\`.
- tools: a benchmark.

## 0.1.0

- auth-action: signs in to Google Cloud.
`;

describe('exportChangelog', () => {
  it('keeps the entries about the action, and names the version of what is unreleased', () => {
    expect(exportChangelog(text, '0.2.0')).toBe(
      '# Changelog\n\n## 0.2.0\n\n### Added\n\n- The output `auth_token`.\n\n## 0.1.0\n\n- Signs in to Google Cloud.\n',
    );
  });
});
