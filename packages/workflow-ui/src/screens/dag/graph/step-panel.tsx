import { IconButton } from '@weir/ui-kit';
import { X } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import type { Schemas } from '../../../api/client';
import { useAppMessages } from '../../../parts/text/app-messages';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { kindOf } from '../../../graph/to-graph-steps';
import styles from './graph-tab.module.css';

type Step = Schemas['Step'];

export interface StepPanelProps {
  readonly step: Step;
  readonly steps: readonly Step[];
  readonly onSelect: (name: string | undefined) => void;
}

/** The definition of a step in the file. */
export function StepPanel({ step, steps, onSelect }: StepPanelProps): ReactElement {
  const t = useDagMessages();
  const app = useAppMessages();
  const named = new Map(steps.map(({ id, name }) => [id ?? name, name]));
  const before = (step.depends ?? []).map((other) => named.get(other) ?? other);
  const after = steps
    .filter(({ depends = [] }) => depends.some((other) => (named.get(other) ?? other) === step.name))
    .map(({ name }) => name);
  const code = step.script ?? step.commands?.map(({ command, args = [] }) => [command, ...args].join(' ')).join('\n');
  return (
    <section aria-label={step.name} className={styles.panel}>
      <header className={styles.head}>
        <h2>{step.name}</h2>
        <IconButton icon={<X aria-hidden size={16} />} label={app('app.close')} onPress={() => onSelect(undefined)} />
      </header>
      {step.description === undefined || step.description === '' ? null : (
        <p className={styles.muted}>{step.description}</p>
      )}
      <dl className={styles.facts}>
        {code === undefined || code === '' ? (
          <Fact name={t('dag.step.action')}>{kindOf(step)}</Fact>
        ) : (
          <Fact name={t('dag.step.command')}>
            <pre tabIndex={0} className={styles.code}>
              {code}
            </pre>
          </Fact>
        )}
        <Fact name={t('dag.step.output')}>{step.output}</Fact>
        <Fact name={t('dag.step.dir')}>{step.dir}</Fact>
        <Fact name={t('dag.step.conditions')}>
          {step.preconditions?.map(({ condition, expected = '' }) => `${condition} ${expected}`).join('\n')}
        </Fact>
        <Neighbours name={t('dag.step.before')} steps={before} onSelect={onSelect} />
        <Neighbours name={t('dag.step.after')} steps={after} onSelect={onSelect} />
      </dl>
    </section>
  );
}

/** Renders nothing without content. */
function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement | null {
  if (children === undefined || children === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface NeighboursProps {
  readonly name: string;
  readonly steps: readonly string[];
  readonly onSelect: (name: string) => void;
}

const mostNeighbours = 30;

function Neighbours({ name, steps, onSelect }: NeighboursProps): ReactElement | null {
  const t = useDagMessages();
  if (steps.length === 0) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd className={styles.steps}>
        {steps.slice(0, mostNeighbours).map((other) => (
          <button key={other} type="button" className={styles.step} onClick={() => onSelect(other)}>
            {other}
          </button>
        ))}
        {steps.length > mostNeighbours ? (
          <span className={styles.muted}>{t('dag.step.more', { count: steps.length - mostNeighbours })}</span>
        ) : null}
      </dd>
    </div>
  );
}
