import type { YamlValue } from '../yaml/yaml-value';
import type { CallableAction } from './custom-action';

export interface CustomCall {
  readonly action: CallableAction;
  readonly step: YamlValue;
  /** The value that names the action. */
  readonly name: YamlValue;
}
