import type { Part } from '../../model/compact';
import type { DagSettings } from '../../model/dag';
import { limits } from '../../model/limits';
import { keySpec } from '../../shapes/object-kind';
import type { Fields } from '../../shapes/read-object';
import { nonEmptyText, wholeNumber } from '../../shapes/shapes';
import { artifacts } from './artifacts';
import { logOutput } from '../../values/outputs/log-output';
import type { YamlValue } from '../../source/yaml/yaml-value';

export const storageKeys = {
  log_dir: keySpec('Folder of the logs', nonEmptyText),
  log_output: keySpec('separate (default): a log for each stream of a step; merged: one for both', logOutput),
  max_output_size: keySpec('Maximum bytes of captured output per step', wholeNumber(1, limits.outputBytes)),
  artifacts: keySpec('Artifacts of runs', artifacts),
  hist_retention_days: keySpec('Days for which finished runs are retained; 0 retains none', wholeNumber(0)),
  hist_retention_runs: keySpec('Number of finished runs that are retained', wholeNumber(1)),
} as const;

export function readStorageSettings(fields: Fields<typeof storageKeys>, { context }: YamlValue): Part<DagSettings> {
  const { hist_retention_days: days, hist_retention_runs: runs } = fields;
  if (days && runs) {
    const message = 'hist_retention_days and hist_retention_runs cannot both be specified';
    context.report.add('conflicting_keys', runs.keyLocation, message);
  }
  return {
    logDir: fields.log_dir?.value,
    logOutput: fields.log_output?.value,
    maxOutputSize: fields.max_output_size?.value,
    artifacts: fields.artifacts?.value,
    histRetentionDays: days?.value,
    histRetentionRuns: days ? undefined : runs?.value,
  };
}
