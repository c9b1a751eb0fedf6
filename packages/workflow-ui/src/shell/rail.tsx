import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { classNames, frameLink, Menu } from '@weir/ui-kit';
import { Ellipsis } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { useWaitingCount } from '../api/open-decisions';
import { navigationEntries, navigationGroups, type NavigationEntry } from './navigation-entries';
import { useShellMessages } from './shell-messages';
import styles from './rail.module.css';

/** The links of the rail by group; on a phone only the main ones. */
export function Rail(): ReactElement {
  const t = useShellMessages();
  return (
    <>
      {navigationGroups.map((group) => {
        const entries = navigationEntries.filter((entry) => entry.group === group);
        return entries.length === 0 ? null : (
          <div key={group} className={styles.group}>
            {group === 'work' ? null : <h2 className={styles.title}>{t(`shell.group.${group}`)}</h2>}
            {entries.map((entry) => (
              <RailLink key={entry.to} entry={entry} />
            ))}
          </div>
        );
      })}
      <FurtherPages />
    </>
  );
}

function RailLink({ entry }: { readonly entry: NavigationEntry }): ReactElement {
  const { to, text, icon: Icon, isMain, alsoAt } = entry;
  const t = useShellMessages();
  const isHere = useRouterState({
    select: ({ location }) => alsoAt !== undefined && location.pathname.startsWith(alsoAt),
  });
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/' || to === '/settings', includeSearch: false }}
      className={classNames(frameLink, styles.link)}
      data-main={isMain === true}
      {...(isHere ? { 'aria-current': 'page' } : {})}
    >
      <Icon aria-hidden size={18} />
      <span className={styles.name}>{t(text)}</span>
      {to === '/approvals' ? <WaitingCount /> : null}
    </Link>
  );
}

/** The number of decisions that wait for the person. */
function WaitingCount(): ReactElement | null {
  const t = useShellMessages();
  const count = useWaitingCount();
  if (count === undefined || count.mine === 0) return null;
  const number = count.isComplete ? String(count.mine) : `${count.mine}+`;
  return (
    <span className={styles.count}>
      <span aria-hidden>{number}</span>
      <span className={styles.spoken}>{t('shell.waiting', { number })}</span>
    </span>
  );
}

function FurtherPages(): ReactElement | null {
  const t = useShellMessages();
  const navigate = useNavigate();
  const further = navigationEntries.filter(({ isMain }) => isMain !== true);
  if (further.length === 0) return null;
  return (
    <div className={styles.further}>
      <Menu
        label={t('shell.menu')}
        trigger={
          <Button className={classNames(frameLink, styles.link)} data-main>
            <Ellipsis aria-hidden size={18} />
            <span className={styles.name}>{t('shell.menu')}</span>
          </Button>
        }
        entries={further.map(({ to, text, icon: Icon }) => ({
          id: to,
          label: t(text),
          icon: <Icon aria-hidden size={16} />,
          onSelect: () => void navigate({ to }),
        }))}
      />
    </div>
  );
}
