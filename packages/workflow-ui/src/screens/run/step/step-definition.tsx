import { Button } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import type { Node } from '../../../parts/run/run-data';
import { useRunMessages } from '../../../parts/run/run-messages';
import { Part } from './part';
import styles from './step-panel.module.css';

export interface StepDefinitionProps {
  readonly step: Node['step'];
  readonly onSelect: (id: string) => void;
}

/** The work of the step in its definition, and its dependencies. */
export function StepDefinition({ step, onSelect }: StepDefinitionProps): ReactElement {
  const t = useRunMessages();
  const { description = '', depends = [], executorConfig } = step;
  const action = executorConfig?.type ?? '';
  const code = codeOf(step);
  return (
    <>
      {description === '' ? null : <p>{description}</p>}
      {code === '' ? null : (
        <Part title={t('run.command')}>
          <pre tabIndex={0} role="region" aria-label={t('run.command')} className={styles.code}>
            {code}
          </pre>
        </Part>
      )}
      {action === '' ? null : (
        <Part title={t('run.action')}>
          <code>{action}</code>
        </Part>
      )}
      {depends.length === 0 ? null : (
        <Part title={t('run.depends')}>
          <span className={styles.links}>
            {depends.map((name) => (
              <Button key={name} onPress={() => onSelect(name)}>
                {name}
              </Button>
            ))}
          </span>
        </Part>
      )}
    </>
  );
}

function codeOf({ script = '', commands = [] }: Node['step']): string {
  if (script !== '') return script.trimEnd();
  return commands.map(({ command, args = [] }) => [command, ...args].join(' ')).join('\n');
}
