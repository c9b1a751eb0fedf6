import type { ProfileLayer } from '../../model/run-model/profile-layer';
import type { Environment } from '../environment/run-variables';

/** The values of the secrets of each layer, by its id. */
export type ProfileSecrets = ReadonlyMap<string, Environment>;

export const noProfileSecrets: ProfileSecrets = new Map();

export interface ProfileVariables {
  /** The file of the DAG wins over them. */
  readonly defaults: Environment;
  /** They win over the file. */
  readonly chosen: Environment;
}

/** The variables that the layers of a run make; a later layer wins. */
export function profileVariables(layers: readonly ProfileLayer[], secrets: ProfileSecrets): ProfileVariables {
  const merge = (isDefault: boolean): Environment =>
    Object.fromEntries(
      layers
        .filter((layer) => layer.isDefault === isDefault)
        .flatMap(({ id, variables }) => [...Object.entries(variables), ...Object.entries(secrets.get(id) ?? {})]),
    );
  return { defaults: merge(true), chosen: merge(false) };
}
