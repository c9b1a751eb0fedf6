import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { boolean } from '../../shapes/shapes';

export interface RunConfig {
  readonly disableParamEdit: boolean;
  readonly disableRunIdEdit: boolean;
}

const runConfigKind = objectKind({
  title: 'run_config',
  keys: {
    disable_param_edit: keySpec('Whether the parameters cannot be changed when a run starts', boolean),
    disable_run_id_edit: keySpec('Whether the run ID cannot be chosen when a run starts', boolean),
  },
});

export const runConfig = objectShape(runConfigKind, (fields): RunConfig => ({
  disableParamEdit: fields.disable_param_edit?.value ?? false,
  disableRunIdEdit: fields.disable_run_id_edit?.value ?? false,
}));
