import { exportPage, exportReadme } from './exported-pages';

const paths = new Map([
  ['packages/auth-action/README.md', 'README.md'],
  ['docs/auth-action/security.md', 'security.md'],
  ['docs/auth-action/setup.md', 'docs/setup.md'],
]);
const readme = { source: 'packages/auth-action/README.md', paths, repository: 'acme/cloud-auth' };
const setup = { ...readme, source: 'docs/auth-action/setup.md' };

describe('exportPage', () => {
  it.each([
    ['a link from the README to another page', readme, '[a](../../docs/auth-action/setup.md)', '[a](docs/setup.md)'],
    ['a link to a heading', readme, '[a](../../docs/auth-action/setup.md#pool)', '[a](docs/setup.md#pool)'],
    [
      'a link between pages that move apart',
      setup,
      '[a](security.md) and [b](setup.md)',
      '[a](../security.md) and [b](setup.md)',
    ],
    ['a link to the README', setup, '[a](../../packages/auth-action/README.md)', '[a](../README.md)'],
    ['a link to what is not exported', setup, 'See [inputs](../specs/auth-action/auth-inputs.md).', 'See inputs.'],
    ['a link to the web', setup, '[a](https://example.com/security.md)', '[a](https://example.com/security.md)'],
    ['a link within the page', setup, '[a](#pool)', '[a](#pool)'],
    ['the name of the repository', setup, 'uses: org/auth-action@v0', 'uses: acme/cloud-auth@v0'],
  ])('converts %s', (_, settings, text, expected) => {
    expect(exportPage(text, settings)).toBe(expected);
  });
});

describe('exportReadme', () => {
  it('keeps what users need, with the name of the action as its title', () => {
    const text =
      '# @weir/auth-action\n\n## Use\n\nUse it.\n\n## How it is built inside\n\nFiles.\n\n## Commands\n\nBuild.\n';

    expect(exportReadme(text, 'Cloud Auth')).toBe('# Cloud Auth\n\n## Use\n\nUse it.\n');
  });
});
