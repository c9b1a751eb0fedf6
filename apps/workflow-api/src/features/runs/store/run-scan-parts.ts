import type { RunStatus } from '@weir/workflow-engine/model';
import type { RunScan } from './dag-run-repository';

/** One range of one index: a status in a workspace, if the scan names them. */
export interface ScanPart {
  readonly dagName?: string;
  /** `null` for no workspace, `{ not: null }` for any; omitted for all runs. */
  readonly workspace?: string | null | { readonly not: null };
  readonly status?: RunStatus;
}

export function toScanParts({
  dagName,
  statuses,
  workspaces,
}: Pick<RunScan, 'dagName' | 'statuses' | 'workspaces'>): readonly ScanPart[] {
  const byStatus = statuses === undefined ? [{}] : [...new Set(statuses)].map((status) => ({ status }));
  return workspaceParts(workspaces).flatMap((part) =>
    byStatus.map((status) => ({ ...(dagName === undefined ? {} : { dagName }), ...part, ...status })),
  );
}

function workspaceParts({ unassigned, named }: RunScan['workspaces']): readonly ScanPart[] {
  if (named === 'all') return [unassigned ? {} : { workspace: { not: null } }];
  return [...(unassigned ? [null] : []), ...new Set(named)].map((workspace) => ({ workspace }));
}
