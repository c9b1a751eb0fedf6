import type { YamlValue } from '../../source/yaml/yaml-value';
import type { CallableAction } from '../custom-actions/custom-action';

export interface CustomCall {
  readonly action: CallableAction;
  readonly step: YamlValue;
  /** The value that names the action. */
  readonly name: YamlValue;
}
