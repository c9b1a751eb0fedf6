import type { ActionsRuntime } from '../runner/actions-runtime';
import { readAws } from './aws';
import { readAzure } from './azure';
import type { CloudSettings } from './cloud-settings';
import type { InputReader } from './input-reader';

/** A separate bundle, which main loads only for jobs with inputs for AWS or Azure. */
export function readClouds(reader: InputReader, runtime: ActionsRuntime): CloudSettings {
  return { aws: readAws(reader, runtime), azure: readAzure(reader, runtime) };
}
