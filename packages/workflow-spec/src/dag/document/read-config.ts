import type { BaseConfig } from './base-config';
import type { CustomActions } from '../../steps/custom-actions/custom-action';
import { compact, type Part } from '../../model/compact';
import type { DagSettings } from '../../model/dag';
import type { dagKind } from '../../keys/dag-keys/dag-kind';
import { readEnvironmentSettings } from '../../keys/dag-keys/environment-keys';
import { readExecutionSettings } from '../../keys/dag-keys/execution-keys';
import { readIdentitySettings } from '../../keys/dag-keys/identity-keys';
import { readInputSettings } from '../../keys/dag-keys/input-keys';
import { readIntegrationSettings } from '../../keys/dag-keys/integration-keys';
import { readLifecycleSettings } from '../../keys/dag-keys/lifecycle-keys';
import { readMailSettings } from '../../keys/dag-keys/mail-keys';
import { readStorageSettings } from '../../keys/dag-keys/storage-keys';
import { readScheduleSettings } from '../../keys/dag-keys/schedule-keys';
import { readHandlers } from '../../steps/list/read-handlers';
import { readStepList } from '../../steps/list/read-step-list';
import type { Fields } from '../../shapes/read-object';
import { checkProviders } from '../../steps/work/harness-run';
import type { DagHarnesses } from '../../model/harness';
import type { YamlValue } from '../../source/yaml/yaml-value';

export type DagFields = Fields<typeof dagKind.keys>;

interface ConfigOptions {
  readonly customActions: CustomActions;
  /** The configuration that these keys add to. */
  readonly base: BaseConfig;
}

/** Reads the keys that a DAG and a base configuration share, without applying defaults. */
export function readConfig(fields: DagFields, value: YamlValue, { customActions, base }: ConfigOptions): BaseConfig {
  const harnesses = readHarnesses(fields, base);
  const settings: Part<DagSettings> = {
    ...readIdentitySettings(fields, value),
    ...readInputSettings(fields),
    ...readEnvironmentSettings(fields),
    ...readExecutionSettings(fields, value),
    ...readScheduleSettings(fields, value),
    ...readLifecycleSettings(fields),
    ...readMailSettings(fields),
    ...readStorageSettings(fields, value),
    ...readIntegrationSettings(fields),
    handlers: readHandlers(fields.handler_on?.value, {
      type: fields.type?.value ?? 'graph',
      customActions,
      harnesses,
      llm: fields.llm?.value ?? base.settings.llm,
      ...compact({ actionLocks: fields.action_lock?.value }),
      readStepList,
    }),
  };
  return {
    settings: compact(settings),
    ...compact({ type: fields.type?.value, defaults: fields.defaults?.value }),
  };
}

/** Returns the harnesses of the configuration with those of its base. */
function readHarnesses({ harness, harnesses }: DagFields, { settings }: BaseConfig): DagHarnesses {
  const own = { ...settings.harnesses, ...harnesses?.value };
  if (harness) checkProviders(harness.source, own);
  return { own, defaults: harness?.value ?? settings.harness };
}
