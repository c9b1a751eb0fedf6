import type { ReactElement } from 'react';
import { useAppMessages } from '../text/app-messages';
import styles from '../screen-body.module.css';

export interface UnknownTermsProps {
  readonly terms: readonly string[];
  /** The words that can be used, as a sentence. */
  readonly known: string;
}

/** Names the words of a query text without a meaning, instead of silently ignoring them. */
export function UnknownTerms({ terms, known }: UnknownTermsProps): ReactElement {
  const app = useAppMessages();
  return (
    <p role="status" className={styles.unknown}>
      {terms.length === 0
        ? null
        : `${app('app.unknownTerms', { terms: terms.join(' '), count: terms.length })} ${known}`}
    </p>
  );
}
