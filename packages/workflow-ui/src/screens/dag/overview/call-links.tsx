import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { Schemas } from '../../../api/client';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import styles from './overview.module.css';

export interface CallLinksProps {
  readonly callers: readonly Schemas['DAGCaller'][];
  readonly steps: readonly Schemas['Step'][];
}

/** Links to the DAGs that call this one, and to those that it calls. */
export function CallLinks({ callers, steps }: CallLinksProps): ReactElement {
  const t = useDagMessages();
  const called = [...new Set(steps.flatMap(({ call = '' }) => (call === '' ? [] : [call])))];
  if (callers.length === 0 && called.length === 0) return <p className={styles.muted}>{t('dag.calls.none')}</p>;
  return (
    <dl className={styles.facts}>
      <Links
        name={t('dag.calls.by')}
        links={callers.map(({ fileName, name, steps: calling }) => ({
          id: fileName,
          link: <DagLink fileName={fileName} name={name} />,
          note: calling.join(', '),
        }))}
      />
      <Links
        name={t('dag.calls.to')}
        links={called.map((name) => ({ id: name, link: <DagLink fileName={name} name={name} /> }))}
      />
    </dl>
  );
}

interface LinksProps {
  readonly name: string;
  readonly links: readonly { readonly id: string; readonly link: ReactNode; readonly note?: string }[];
}

function Links({ name, links }: LinksProps): ReactElement | null {
  if (links.length === 0) return null;
  return (
    <div>
      <dt>{name}</dt>
      {links.map(({ id, link, note }) => (
        <dd key={id}>
          {link}
          {note === undefined ? null : <span className={styles.muted}> · {note}</span>}
        </dd>
      ))}
    </div>
  );
}

function DagLink({ fileName, name }: { readonly fileName: string; readonly name: string }): ReactElement {
  return isFileName(fileName) ? (
    <Link to="/dags/$fileName" params={{ fileName }}>
      {name}
    </Link>
  ) : (
    <code>{name}</code>
  );
}

/** A name that is computed while the DAG runs cannot be a link. */
function isFileName(text: string): boolean {
  return /^[\w.-]+$/.test(text);
}
