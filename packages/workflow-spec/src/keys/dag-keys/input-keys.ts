import type { Part } from '../../model/compact';
import type { DagSettings } from '../../model/dag';
import { consts } from '../../values/environment/consts';
import { params } from '../../values/params/read-params';
import { keySpec } from '../../shapes/object-kind';
import type { Fields } from '../../shapes/read-object';

export const inputKeys = {
  params: keySpec('Inputs of a run', params),
  consts: keySpec('Constants: a list of maps with one key each', consts),
} as const;

export function readInputSettings(fields: Fields<typeof inputKeys>): Part<DagSettings> {
  return {
    params: fields.params?.value?.params,
    paramSchema: fields.params?.value?.paramSchema,
    consts: fields.consts?.value,
  };
}
