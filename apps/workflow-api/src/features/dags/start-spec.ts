import type { RunSource } from '@weir/workflow-engine/model';
import { hasErrors } from '@weir/workflow-spec';
import type { SpecReader } from '../../dag-parser';
import { requireRole } from '../../access/access-rules';
import type { Requester } from '../../access/audited-operation';
import { startsAs, type StartOptions, type StartRun } from '../runs';
import { localOnly } from './dag-errors';
import { specInvalid } from '../../dag-parser/spec-errors';

type Origin = Pick<StartOptions, 'triggerType' | 'scheduleTime' | 'priority'>;

export interface SpecStartRequest extends Omit<
  StartOptions,
  'ownerId' | 'mayStartIn' | 'startedBy' | 'audit' | keyof Origin
> {
  readonly spec: string;
  /** In place of the name in the spec. */
  readonly name?: string | undefined;
  readonly origin?: (Origin & Pick<RunSource, 'fileName'>) | undefined;
}

/** Stores a run of a spec that is not in a file. Throws `local_only`, `role_missing` or `spec_invalid`. */
export async function startSpec(
  { specs, startRun }: { readonly specs: SpecReader; readonly startRun: StartRun },
  request: SpecStartRequest,
  { principal, audit }: Requester,
) {
  const { spec, name, origin, ...options } = request;
  if (origin !== undefined && principal.kind !== 'local') throw localOnly('origin');
  // A spec without any name has a finding.
  const named = { name: name ?? '', overrideName: name !== undefined };
  const { dag, findings, baseTexts } = await specs.parse(spec, named);
  requireRole(principal, dag.workspace, 'developer');
  if (hasErrors(findings)) throw specInvalid(findings);
  const { fileName = dag.name, ...more } = origin ?? {};
  return startRun({ dag, specText: spec, baseTexts, fileName }, { ...options, ...more, ...startsAs(principal), audit });
}
