import { hash } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { EngineConfig } from '../config';
import type { EngineWeights, StoredWeights } from '../features/system';
import {
  assertEmbeddedLibrary,
  createEmbeddedEngine,
  createEmbeddedHost,
  createEmbeddedTokenizer,
  createEngineGroup,
  createHttpEngine,
  loadTokenizerFolder,
  writeTinyModel,
  type AdapterVersion,
  type EngineAdapters,
  type InferenceEngine,
  type Recording,
  type Tokenizer,
} from '@weir/rollout-engine';

export interface OpenEngine {
  /** `undefined` where the engine has no operation that loads weights. */
  readonly weights?: EngineWeights | undefined;
  /** `undefined` for an engine without adapters. */
  readonly adapters?: EngineAdapters | undefined;
  readonly engine: InferenceEngine;
  readonly tokenizer: Tokenizer & { readonly addedTokens?: readonly string[] };
}

export interface OpenEngineOptions {
  readonly dataFolder: string;
  /** The bundled program of the embedded engine. */
  readonly embeddedHostFile: string;
  readonly contextTokens: number | undefined;
  readonly initialWeights: StoredWeights;
  readonly recording: Recording;
  /** Stores that the engine is asked to load an adapter. */
  readonly noteAdapterLoad: (adapter: AdapterVersion) => Promise<void>;
}

/** Sends nothing to the engine yet. */
export async function openEngine(config: EngineConfig, options: OpenEngineOptions): Promise<OpenEngine> {
  return config.kind === 'embedded' ? openEmbedded(config, options) : openRemote(config, config.kind, options);
}

async function openEmbedded(
  { model, tokenizer: folder, embeddedSequences: sequences }: EngineConfig,
  { dataFolder, embeddedHostFile, contextTokens, initialWeights }: OpenEngineOptions,
): Promise<OpenEngine> {
  assertEmbeddedLibrary(embeddedHostFile);
  const tiny = model === undefined ? await writeTinyModel(path.join(dataFolder, 'tiny-model')) : undefined;
  const base = model ?? tiny?.modelFile ?? '';
  // Weights of another model than the configured one are of no use.
  const { loaded } = initialWeights;
  const modelFile = loaded?.base === base ? await presentWeights(loaded.file) : base;
  const host = createEmbeddedHost({
    hostFile: embeddedHostFile,
    modelFile,
    sequences,
    ...(contextTokens === undefined ? {} : { contextLength: contextTokens }),
  });
  const tokenizerFolder = folder ?? (tiny === undefined ? undefined : path.dirname(tiny.tokenizerFile));
  const tokenizer =
    tokenizerFolder === undefined
      ? await createEmbeddedTokenizer({ host })
      : await loadTokenizerFolder(tokenizerFolder);
  const engine = createEmbeddedEngine({ host, encode: (text) => tokenizer.encode(text, { control: true }) });
  return { engine, tokenizer, weights: { kind: 'copied', base, load: (file, signal) => host.load(file, signal) } };
}

/** Without them, tokens of other weights would be labelled with their version. */
async function presentWeights(file: string): Promise<string> {
  try {
    await access(file, constants.R_OK);
    return file;
  } catch (cause) {
    throw new AppError('unavailable', `The current weights, ${file}, cannot be read.`, {
      reason: 'weights_missing',
      cause,
    });
  }
}

async function openRemote(
  { urls, model, apiKey, tokenizer: folder, expertShape }: EngineConfig,
  dialect: Exclude<EngineConfig['kind'], 'embedded'>,
  { contextTokens, initialWeights, recording, noteAdapterLoad: noteLoad }: OpenEngineOptions,
): Promise<OpenEngine> {
  if (folder === undefined || urls.length === 0) {
    throw new AppError(
      'invalid_request',
      `ROLLOUT_ENGINE=${dialect} needs ROLLOUT_ENGINE_URLS and ROLLOUT_TOKENIZER.`,
      {
        reason: 'config_invalid',
      },
    );
  }
  const tokenizer = await loadTokenizerFolder(folder);
  const replicas = urls.map((url) => ({
    key: hash('sha256', url),
    engine: createHttpEngine({
      dialect,
      url,
      recording,
      noteLoad,
      ...(expertShape === undefined ? {} : { expertShape }),
      encode: (text) => tokenizer.encode(text, { control: true }),
      ...(model === undefined ? {} : { model }),
      ...(apiKey === undefined ? {} : { apiKey: apiKey.reveal() }),
      ...(contextTokens === undefined ? {} : { contextLength: contextTokens }),
    }),
  }));
  const { served, version } = initialWeights;
  const engine = createEngineGroup({
    replicas,
    ...(served !== undefined && { initialWeights: { source: served, version } }),
  });
  const { updateWeights: update } = engine;
  return {
    engine,
    tokenizer,
    adapters: engine.adapters,
    weights: update && { kind: 'served', update, note: (weights) => engine.noteWeights(weights) },
  };
}
