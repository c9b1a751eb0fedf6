import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@weir/test-kit';
import { build } from 'esbuild';
import type { Tokenizer } from '../../../tokenizer/tokenizer';
import type { GenerationRequest } from '../../port/inference-engine';
import { createEmbeddedEngine, type EmbeddedEngine } from '../embedded-engine';
import { createEmbeddedHost, type EmbeddedHost, type EmbeddedHostOptions } from '../embedded-host';
import { createEmbeddedTokenizer } from '../embedded-tokenizer';
import { writeTinyModel, type TinyModel } from '../model/tiny-model';

export interface EmbeddedFixture {
  readonly model: TinyModel;
  readonly host: EmbeddedHost;
  readonly engine: EmbeddedEngine;
  readonly tokenizer: Tokenizer;
  /** Starts another process over the same model. The caller stops it. */
  hostWith(options: Partial<EmbeddedHostOptions>): EmbeddedHost;
  stop(): Promise<void>;
}

/** The tiny model in a real process, made from the sources as the build makes it. */
export async function startEmbeddedFixture(): Promise<EmbeddedFixture> {
  const folder = temporaryFolder('weir-embedded-');
  const hostFile = folder.file('embedded-host.js');
  const [model] = await Promise.all([writeTinyModel(folder.path), bundleEmbeddedHost(hostFile)]);
  const hostWith = (options: Partial<EmbeddedHostOptions>): EmbeddedHost =>
    createEmbeddedHost({ hostFile, modelFile: model.modelFile, ...options });
  const host = hostWith({});
  return {
    model,
    host,
    engine: createEmbeddedEngine({ host }),
    tokenizer: await createEmbeddedTokenizer({ host }),
    hostWith,
    stop: async () => {
      await host.stop();
      await folder.remove();
    },
  };
}

export async function bundleEmbeddedHost(outfile: string): Promise<void> {
  const library = pathToFileURL(require.resolve('node-llama-cpp')).href;
  await build({
    entryPoints: [path.join(__dirname, '../embedded-host-main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@weir/source'],
    plugins: [
      {
        name: 'library-from-where-it-is',
        setup: (hooks) => {
          hooks.onResolve({ filter: /^node-llama-cpp$/ }, () => ({ path: library, external: true }));
        },
      },
    ],
  });
}

export function aGeneration(promptIds: Int32Array, changes: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    requestId: 'request',
    sessionId: 'session',
    promptIds,
    maxNewTokens: 20,
    sampling: { seed: 1 },
    stopTokenIds: [],
    stop: [],
    topLogprobs: 0,
    isStreaming: false,
    ...changes,
  };
}

/** A signal that is never aborted. Each call gets its own, since each call adds a listener. */
export const forever = (): AbortSignal => new AbortController().signal;
