import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { iconLinkClass } from '@weir/ui-kit';
import { ChevronLeft, ChevronRight, Pencil, type LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import type { RunAddress } from '../../parts/run/run-address';
import type { Run } from '../../parts/run/run-data';
import { useRunMessages } from '../../parts/run/run-messages';

export interface RunNeighboursProps {
  readonly address: RunAddress;
  readonly run: Run;
}

/** Links to the previous and the next run of the DAG, and to its text. The view stays the same. */
export function RunNeighbours({ address: { name, runId }, run }: RunNeighboursProps): ReactElement {
  const t = useRunMessages();
  const { data } = useQuery<Schemas['DAGRunNeighboursResponse'], Failure>({
    // The key begins like those of live data: a newer run may come at any time.
    queryKey: ['live', 'run-neighbours', name, runId],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/dag-runs/{name}/{dagRunId}/neighbours', { params: { path: { name, dagRunId: runId } }, signal }),
      ),
  });
  const { sourceFileName: fileName } = run;
  return (
    <>
      <RunStep {...{ name, runId: data?.previous, label: t('run.previous'), shortcut: '[', icon: ChevronLeft }} />
      <RunStep {...{ name, runId: data?.next, label: t('run.next'), shortcut: ']', icon: ChevronRight }} />
      {fileName === undefined ? null : (
        <Link to="/dags/$fileName" params={{ fileName }} search={{ tab: 'spec' }} {...linkProps(t('run.edit'), 'e')}>
          <Pencil aria-hidden size={16} />
        </Link>
      )}
    </>
  );
}

interface RunStepProps {
  readonly name: string;
  readonly runId: string | undefined;
  readonly label: string;
  readonly shortcut: string;
  readonly icon: LucideIcon;
}

function RunStep({ name, runId, label, shortcut, icon: Icon }: RunStepProps): ReactElement | null {
  if (runId === undefined) return null;
  return (
    <Link
      to="/dag-runs/$name/$runId"
      params={{ name, runId }}
      from="/dag-runs/$name/$runId"
      // The run opens on its own most important step.
      search={({ tab, view }) => ({ ...(tab && { tab }), ...(view && { view }) })}
      {...linkProps(label, shortcut)}
    >
      <Icon aria-hidden size={16} />
    </Link>
  );
}

function linkProps(label: string, shortcut: string) {
  return {
    'aria-label': label,
    title: label,
    'aria-keyshortcuts': shortcut,
    'data-shortcut': shortcut,
    className: iconLinkClass,
  };
}
