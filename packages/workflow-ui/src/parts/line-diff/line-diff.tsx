import type { ReactElement } from 'react';
import { defineMessages } from '../../app/text/define-messages';
import { diffLines, type DiffLine } from './diff-lines';
import messages from './messages.json';
import styles from './line-diff.module.css';

const useDiffMessages = defineMessages(messages);

export interface LineDiffProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

/** Two texts as one, with what was removed and added marked. */
export function LineDiff({ label, before, after }: LineDiffProps): ReactElement {
  const t = useDiffMessages();
  const lines = diffLines(before, after);
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  return (
    <>
      <p className={styles.summary}>{t('diff.summary', { added: count('added'), removed: count('removed') })}</p>
      <pre tabIndex={0} role="region" aria-label={label} className={styles.diff}>
        {lines.map(({ kind, text }, index) => (
          <span key={index} className={styles[kind]}>
            <span className={styles.sign}>{signs[kind]}</span>
            {`${text}\n`}
          </span>
        ))}
      </pre>
    </>
  );
}
