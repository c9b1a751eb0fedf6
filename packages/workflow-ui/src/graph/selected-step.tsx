import { useMemo, type ReactElement } from 'react';
import { useAppMessages } from '../parts/text/app-messages';
import { findDependents } from './graph-items';
import { useGraphMessages } from './graph-messages';
import type { GraphStep } from './graph-step';
import styles from './graph.module.css';

export interface SelectedStepProps {
  readonly steps: readonly GraphStep[];
  readonly selected: string | undefined;
}

/** Speaks the selected step and its position in the graph. */
export function SelectedStep({ steps, selected }: SelectedStepProps): ReactElement {
  const t = useGraphMessages();
  const app = useAppMessages();
  const dependents = useMemo(() => findDependents(steps), [steps]);
  const step = steps.find(({ name }) => name === selected);
  const text =
    step === undefined
      ? ''
      : t('graph.selected', {
          name: step.name,
          status: app(`app.status.${step.status ?? 'not_started'}`),
          before: step.depends.length,
          after: dependents.get(step.name)?.length ?? 0,
        });
  return (
    <p role="status" className={styles.spoken}>
      {text}
    </p>
  );
}
