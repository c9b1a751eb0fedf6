import type { BaseConfig } from './base-config/base-config';
import type { CustomActions } from './custom-actions/custom-action';
import { compact, type Part } from './compact';
import type { DagSettings } from './dag';
import type { dagKind } from './dag-keys/dag-kind';
import { environmentOf } from './dag-keys/environment-keys';
import { executionOf } from './dag-keys/execution-keys';
import { identityOf } from './dag-keys/identity-keys';
import { inputsOf } from './dag-keys/inputs-keys';
import { integrationOf } from './dag-keys/integration-keys';
import { lifecycleOf } from './dag-keys/lifecycle-keys';
import { mailOf } from './dag-keys/mail-keys';
import { recordOf } from './dag-keys/record-keys';
import { scheduleOf } from './dag-keys/schedule-keys';
import { handlersOf } from './policies/handlers';
import type { Fields } from './read/read-object';
import type { YamlValue } from './yaml/yaml-value';

export type DagFields = Fields<typeof dagKind.keys>;

/** What a document says that a DAG and a base configuration may both say, without any default filled in. */
export function readConfig(fields: DagFields, value: YamlValue, customActions: CustomActions): BaseConfig {
  const settings: Part<DagSettings> = {
    ...identityOf(fields, value),
    ...inputsOf(fields),
    ...environmentOf(fields),
    ...executionOf(fields, value),
    ...scheduleOf(fields, value),
    ...lifecycleOf(fields),
    ...mailOf(fields),
    ...recordOf(fields, value),
    ...integrationOf(fields),
    handlers: handlersOf(fields.handler_on?.value, { type: fields.type?.value ?? 'graph', customActions }),
  };
  return {
    settings: compact(settings),
    ...compact({ type: fields.type?.value, defaults: fields.defaults?.value }),
  };
}
