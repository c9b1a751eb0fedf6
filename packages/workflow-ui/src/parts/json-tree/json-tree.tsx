import { CopyButton } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import messages from './messages.json';
import { childPath } from './child-path';
import styles from './json-tree.module.css';

const useJsonMessages = defineMessages(messages);

export interface JsonTreeProps {
  readonly value: unknown;
  /** The path of the value; the paths of its members begin with it. */
  readonly path?: string;
}

/** Limits the shown members of one object or list. */
const maxMembers = 500;
const openDepth = 2;

/** A JSON value with foldable parts, whose paths can be copied. */
export function JsonTree({ value, path = '' }: JsonTreeProps): ReactElement {
  return (
    <ul className={styles.tree}>
      {toMembers(value).map(([key, member]) => (
        <Member key={key} name={key} value={member} path={childPath(path, key)} depth={1} />
      ))}
    </ul>
  );
}

interface MemberProps {
  readonly name: string | number;
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

function Member({ name, value, path, depth }: MemberProps): ReactElement {
  const t = useJsonMessages();
  const copy = <CopyButton text={path} label={t('json.copy', { path })} />;
  if (typeof value !== 'object' || value === null) {
    return (
      <li className={styles.row}>
        <span className={styles.key}>{name}</span>
        <span className={styles.value} data-type={value === null ? 'null' : typeof value}>
          {typeof value === 'string' ? value : JSON.stringify(value)}
        </span>
        {copy}
      </li>
    );
  }
  const members = toMembers(value);
  const shown = members.slice(0, maxMembers);
  return (
    <li className={styles.branch}>
      <details open={depth < openDepth}>
        <summary className={styles.row}>
          <span className={styles.key}>{name}</span>
          <span className={styles.count}>
            {t(Array.isArray(value) ? 'json.items' : 'json.members', { count: members.length })}
          </span>
        </summary>
        <ul className={styles.members}>
          {shown.map(([key, member]) => (
            <Member key={key} name={key} value={member} path={childPath(path, key)} depth={depth + 1} />
          ))}
          {shown.length < members.length ? (
            <li className={styles.count}>{t('json.more', { count: members.length - shown.length })}</li>
          ) : null}
        </ul>
      </details>
      {copy}
    </li>
  );
}

function toMembers(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((member: unknown, index) => [index, member]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
