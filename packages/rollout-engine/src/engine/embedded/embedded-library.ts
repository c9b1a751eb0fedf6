import { createRequire } from 'node:module';
import { AppError } from '@weir/foundation';

/** The package with llama.cpp is an optional peer: it is larger than everything else together. */
export const embeddedLibrary = { name: 'node-llama-cpp', version: '3.21.1' } as const;

const installable = `${embeddedLibrary.name}@${embeddedLibrary.version}`;

/**
 * Throws `unavailable` (reason `embedded_engine_missing`) where the program of the embedded engine would not find
 * llama.cpp. The message names the command that installs it.
 */
export function assertEmbeddedLibrary(hostFile: string): void {
  try {
    createRequire(hostFile).resolve(embeddedLibrary.name);
  } catch (cause) {
    throw new AppError(
      'unavailable',
      `The embedded engine needs ${embeddedLibrary.name}, which is not installed. Install it beside the proxy: npm install --global ${installable}, or without --global in a project. With npx: npx --package @weir/rollout-proxy --package ${installable} rollout-proxy. For another engine, set ROLLOUT_ENGINE.`,
      { reason: 'embedded_engine_missing', cause },
    );
  }
}
