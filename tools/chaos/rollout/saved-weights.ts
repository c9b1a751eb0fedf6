import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** A row that a version of the weights was trained with. */
export interface TrainedRow {
  readonly id: string;
  readonly tokens: number;
  /** Whether its tokens are what the engine samples after its prompt. */
  readonly isExact: boolean;
}

/** Stands for saved weights: what they were trained with, all steps together. */
export interface SavedWeights {
  readonly version: number;
  readonly rows: readonly TrainedRow[];
}

export function readWeights(file: string): SavedWeights {
  if (!existsSync(file)) return { version: 0, rows: [] };
  return JSON.parse(readFileSync(file, 'utf8')) as SavedWeights;
}

/** Saves all or nothing, like a checkpoint. */
export function saveWeights(file: string, weights: SavedWeights): void {
  writeFileSync(`${file}.new`, JSON.stringify(weights));
  renameSync(`${file}.new`, file);
}
