import type { ActionsRuntime } from '../runner/actions-runtime';
import { readAws } from './aws';
import { readAzure } from './azure';
import type { CloudSettings } from './cloud-settings';
import type { InputReader } from './input-reader';
import { readPackageRegistries } from './package-registries';
import type { PackageRegistries } from './settings';

export interface OtherSettings extends CloudSettings {
  readonly packages: PackageRegistries | undefined;
}

/**
 * A separate bundle, which main loads only for jobs with inputs for AWS, Azure or registries of packages. The universe is
 * that of the account of Google Cloud.
 */
export function readOtherInputs(reader: InputReader, runtime: ActionsRuntime, universe: string): OtherSettings {
  return {
    aws: readAws(reader, runtime),
    azure: readAzure(reader, runtime),
    packages: readPackageRegistries(reader, universe),
  };
}
