import { temporaryFolder } from '@weir/test-kit';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assertEmbeddedLibrary, embeddedLibrary } from './embedded-library';

describe('assertEmbeddedLibrary', () => {
  it('accepts a program that finds llama.cpp', () => {
    expect(() => assertEmbeddedLibrary(path.join(__dirname, 'embedded-host.js'))).not.toThrow();
  });

  it('refuses one that does not, and names the command that installs it', async () => {
    const folder = temporaryFolder();
    try {
      expect(() => assertEmbeddedLibrary(folder.file('embedded-host.js'))).toThrow(
        `npm install --global ${embeddedLibrary.name}@${embeddedLibrary.version}, or without --global in a project.`,
      );
    } finally {
      await folder.remove();
    }
  });

  it('names the version that the repository tests', () => {
    const manifest: unknown = JSON.parse(readFileSync(path.join(__dirname, '../../../package.json'), 'utf8'));
    expect(manifest).toHaveProperty(['peerDependencies', embeddedLibrary.name], embeddedLibrary.version);
  });
});
