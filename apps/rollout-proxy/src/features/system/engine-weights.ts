import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { UpdateWeightsRequest } from '@weir/rollout-contract';
import type { LoadedWeights, StoredWeights, WeightVersion } from './weight-version';

/** An engine that loads a copy which the service made. A failed `load` leaves the weights that it had. */
export interface CopiedWeights {
  readonly kind: 'copied';
  /** The model that is configured. */
  readonly base: string;
  load(file: string, signal: AbortSignal): Promise<void>;
}

/** An engine that reads its weights itself. After a failed `update` its weights are unknown. */
export interface ServedWeights {
  readonly kind: 'served';
  update(weights: { readonly source: string; readonly version: number }, signal: AbortSignal): Promise<void>;
  /** Notes that another replica of the proxy has updated the weights. */
  note(weights: { readonly source: string; readonly version: number }): void;
}

export type EngineWeights = CopiedWeights | ServedWeights;

export interface Replacement {
  /** Replaces the weights and stores their version, while nothing is sampled. Not broken off by a disconnect. */
  run(): Promise<void>;
  /** After a failure, also before `run`. */
  discard(): Promise<void>;
}

export interface ReplaceOptions {
  readonly weightVersion: WeightVersion;
  /** `undefined` where the engine has no operation that loads weights. */
  readonly weights: EngineWeights | undefined;
  /** The folder of the copies. */
  readonly folder: string;
}

const copyDeadlineMs = 150_000;
const servedDeadlineMs = 1_800_000;

/** Prepares the replacement of the weights for a request; throws an `AppError` if it is impossible. */
export async function prepareReplacement(
  { file, version }: UpdateWeightsRequest,
  { weightVersion, weights, folder }: ReplaceOptions,
): Promise<Replacement> {
  if (file === undefined) {
    if (weights?.kind === 'copied') throw fileMissing();
    return { run: () => weightVersion.store({ version }), discard };
  }
  if (weights === undefined) throw notLoadable();
  if (weights.kind === 'served') {
    return { run: () => replaceServed({ source: file, version }, weights, weightVersion), discard };
  }
  const loaded = await copyWeights(file, path.join(folder, `weights-${version}.gguf`), weights.base);
  return {
    run: () => replaceCopied({ version, loaded }, weights, weightVersion),
    discard: () => rm(loaded.file, { force: true }),
  };
}

const discard = (): Promise<void> => Promise.resolve();

async function replaceServed(
  next: { readonly source: string; readonly version: number },
  weights: ServedWeights,
  weightVersion: WeightVersion,
): Promise<void> {
  // The version is stored first: if the process ends now, the engine's weights are unknown.
  await weightVersion.store({ ...weightVersion.stored, pending: next.version });
  await weights.update(next, AbortSignal.timeout(servedDeadlineMs));
  await weightVersion.store({ version: next.version, served: next.source });
}

async function replaceCopied(
  next: StoredWeights & { readonly loaded: LoadedWeights },
  weights: CopiedWeights,
  weightVersion: WeightVersion,
): Promise<void> {
  const before = weightVersion.stored.loaded;
  await weights.load(next.loaded.file, AbortSignal.timeout(copyDeadlineMs));
  await weightVersion.store(next).catch(async (error: unknown) => {
    // Without this, a restart would pair the new version with the former weights.
    await weights.load(before?.file ?? weights.base, AbortSignal.timeout(copyDeadlineMs));
    throw error;
  });
  if (before !== undefined) await rm(before.file, { force: true });
}

/** A copy, because a trainer may write its next weights to the same file, and a restart must load these. */
async function copyWeights(source: string, file: string, base: string): Promise<LoadedWeights> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await copyFile(source, file);
  } catch (cause) {
    throw new AppError('invalid_request', 'The file of the weights cannot be read.', {
      reason: 'weights_unreadable',
      cause,
    });
  }
  return { file, source, base };
}

function fileMissing(): AppError {
  return new AppError('invalid_request', 'The embedded engine needs the file of the weights.', {
    reason: 'weights_file_missing',
  });
}

function notLoadable(): AppError {
  return new AppError('not_implemented', 'The engine has no operation that loads weights; omit the file.', {
    reason: 'weights_not_loadable',
  });
}
