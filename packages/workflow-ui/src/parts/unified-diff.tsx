import { useMemo, type ReactElement } from 'react';
import { parseUnifiedDiff } from './parse-unified-diff';
import styles from './unified-diff.module.css';

export interface UnifiedDiffProps {
  /** As of `diff -u`. */
  readonly text: string;
  readonly label: string;
}

const signs = { added: '+', removed: '−', same: ' ', hunk: '' } as const;

/** The lines of a difference, with their numbers before and after. */
export function UnifiedDiff({ text, label }: UnifiedDiffProps): ReactElement {
  const lines = useMemo(() => parseUnifiedDiff(text), [text]);
  return (
    <div role="region" tabIndex={0} aria-label={label} className={styles.box}>
      <table className={styles.table}>
        <tbody>
          {lines.map(({ kind, before, after, text: line }, index) => (
            <tr key={index} className={styles[kind]} data-line={kind}>
              <td className={styles.number}>{before}</td>
              <td className={styles.number}>{after}</td>
              <td className={styles.sign}>{signs[kind]}</td>
              <td className={styles.text}>{line}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
