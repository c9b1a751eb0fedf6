import type { ReactElement } from 'react';
import { useAppMessages } from '../text/app-messages';
import styles from '../screen-body.module.css';

export interface UnknownTermsProps {
  readonly terms: readonly string[];
  /** What can be written, in words. */
  readonly known: string;
}

/** Says which words of a query text mean nothing, instead of selecting something else in silence. */
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
