import type { ReactElement } from 'react';
import styles from '../../parts/screen-body.module.css';

export function LabelTags({ labels }: { readonly labels: Readonly<Record<string, string>> }): ReactElement {
  return (
    <span className={styles.tags}>
      {Object.entries(labels).map(([name, value]) => (
        <span key={name} className={styles.tag}>
          {name}={value}
        </span>
      ))}
    </span>
  );
}
