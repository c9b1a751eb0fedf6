import { Button } from '@weir/ui-kit';
import type { Finding } from '@weir/workflow-spec';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { useEditorMessages } from './editor-messages';
import styles from './editor.module.css';

const icons = { error: CircleAlert, warning: TriangleAlert, info: Info } as const;
const maxShown = 200;

export interface ProblemListProps {
  readonly findings: readonly Finding[];
  readonly onGoTo: (finding: Finding) => void;
  /** Missing where the text cannot be changed. */
  readonly onFix: ((finding: Finding) => void) | undefined;
}

/** The findings of a spec, each with its location and, where there is one, its fix. */
export function ProblemList({ findings, onGoTo, onFix }: ProblemListProps): ReactElement {
  const t = useEditorMessages();
  return (
    <section aria-label={t('editor.problems', { count: findings.length })} className={styles.problems}>
      <h2 aria-live="polite">{t('editor.problems', { count: findings.length })}</h2>
      <ul>
        {findings.slice(0, maxShown).map((finding, index) => {
          const Icon = icons[finding.severity];
          const { fix } = finding;
          return (
            // Findings have no key, because two may be equal.
            <li key={index} className={styles.problem}>
              <button type="button" onClick={() => onGoTo(finding)}>
                <Icon
                  aria-label={t(`editor.severity.${finding.severity}`)}
                  size={16}
                  className={styles[finding.severity]}
                />
                <span>{finding.message}</span>
                <span className={styles.place}>{t('editor.place', { line: finding.line })}</span>
              </button>
              {fix === undefined || onFix === undefined ? null : (
                <Button onPress={() => onFix(finding)}>{fix.title}</Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
