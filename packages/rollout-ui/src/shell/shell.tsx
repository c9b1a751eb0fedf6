import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { Frame, frameLink, IconButton, LiveDot, Mark, Menu, StaleBar, TopBar, topBarClasses } from '@weir/ui-kit';
import { defineMessages, useAppMessages, useThemeEntries, useTimeFormat } from '@weir/ui-kit/app';
import { CircleUser, Gauge, ListTree, LogOut, Search } from 'lucide-react';
import type { ReactElement } from 'react';
import { useLive, type Live } from '../api/live';
import { signOut } from '../api/session';
import messages from './messages.json';

const useShellMessages = defineMessages(messages);

const pages = [
  { to: '/', text: 'shell.sessions', icon: ListTree },
  { to: '/search', text: 'shell.search', icon: Search },
  { to: '/status', text: 'shell.status', icon: Gauge },
] as const;

/** The frame of every page. */
export function Shell(): ReactElement {
  const t = useShellMessages();
  const live = useLive(useQueryClient());
  return (
    <Frame
      skipLabel={t('shell.skip')}
      navigationLabel={t('shell.navigation')}
      top={
        <TopBar
          end={
            <>
              <LiveDot state={live.state} label={t(`shell.live.${live.state}`)} />
              <AccountMenu />
            </>
          }
        >
          <Link to="/" className={topBarClasses.brand}>
            <Mark />
            {t('shell.brand')}
          </Link>
        </TopBar>
      }
      links={pages.map(({ to, text, icon: Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }} className={frameLink}>
          <Icon aria-hidden size={18} />
          <span>{t(text)}</span>
        </Link>
      ))}
    >
      <StaleNotice live={live} />
      <Outlet />
    </Frame>
  );
}

function StaleNotice({ live: { lostAt } }: { readonly live: Live }): ReactElement | null {
  const t = useShellMessages();
  const app = useAppMessages();
  const time = useTimeFormat();
  const client = useQueryClient();
  if (lostAt === undefined) return null;
  return (
    <StaleBar
      message={t('shell.stale', { time: time.short(lostAt) })}
      refreshLabel={app('app.refresh')}
      onRefresh={() => void client.invalidateQueries()}
    />
  );
}

function AccountMenu(): ReactElement {
  const t = useShellMessages();
  const themeEntries = useThemeEntries();
  const signOutEntry = {
    id: 'sign-out',
    label: t('shell.signOut'),
    icon: <LogOut aria-hidden size={16} />,
    onSelect: () => void signOut(),
  };
  return (
    <Menu
      label={t('shell.account')}
      trigger={<IconButton icon={<CircleUser aria-hidden size={18} />} label={t('shell.account')} />}
      entries={[...themeEntries, signOutEntry]}
    />
  );
}
