import { Link } from '@tanstack/react-router';
import { ShortId } from '@weir/ui-kit';
import type { ReactElement } from 'react';

export interface RunLinkProps {
  readonly name: string;
  readonly dagRunId: string;
}

/** The name of a DAG and the id of a run of it, which lead to the run. */
export function RunLink({ name, dagRunId }: RunLinkProps): ReactElement {
  return (
    <Link to="/dag-runs/$name/$runId" params={{ name, runId: dagRunId }}>
      {name} <ShortId id={dagRunId} />
    </Link>
  );
}
