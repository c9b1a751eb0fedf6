import { Skeleton } from '@weir/ui-kit';
import { Suspense, type ReactElement } from 'react';
import { statusKindOf } from '../../api/status';
import { useAppMessages } from '../../parts/text/app-messages';
import type { GraphStep } from '../../graph';
import { durationOf } from '../../parts/run/run-statistics';
import { useRunMessages } from '../../parts/run/run-messages';
import type { StepTableProps } from './step-table';
import { lazyPart } from '../../parts/lazy-part';

const StepGraph = lazyPart(() => import('../../graph'), 'StepGraph');

export interface StepGraphViewProps extends StepTableProps {
  /** The name of saved pictures. */
  readonly fileName: string;
}

/** The steps and their dependencies. Steps of handlers have none, so only the other views show them. */
export function StepGraphView({ fileName, rows, selected, onSelect }: StepGraphViewProps): ReactElement {
  const t = useRunMessages();
  const app = useAppMessages();
  const steps = rows.flatMap(({ name, handler, node }): readonly GraphStep[] => {
    const kind = node.step.executorConfig?.type;
    const status = statusKindOf(node.statusLabel);
    const durationMs = durationOf(node);
    return handler === undefined ? [{ name, status, kind, durationMs, depends: node.step.depends ?? [] }] : [];
  });
  return (
    <Suspense fallback={<Skeleton label={app('app.loading')} />}>
      <StepGraph label={t('run.view.graph')} {...{ fileName, steps, selected, onSelect }} />
    </Suspense>
  );
}
