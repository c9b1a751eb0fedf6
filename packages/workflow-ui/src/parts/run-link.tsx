import { Link } from '@tanstack/react-router';
import { ShortId } from '@weir/ui-kit';
import type { ReactElement } from 'react';

export interface RunLinkProps {
  readonly name: string;
  readonly dagRunId: string;
}

/** A link to a run, with the name of its DAG and its id. */
export function RunLink({ name, dagRunId }: RunLinkProps): ReactElement {
  return (
    <Link to="/dag-runs/$name/$runId" params={{ name, runId: dagRunId }}>
      {name} <ShortId id={dagRunId} />
    </Link>
  );
}
