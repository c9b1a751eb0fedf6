import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { sessionQuery } from '../../api/session';
import { ScreenHeader } from '../../parts/screen-header';
import { Appearance } from './appearance';
import { JobSignInPanel } from './job-sign-in-panel';
import { ConnectPanel } from './connect-panel';
import { ConnectionsPanel } from './connections-panel';
import { PasswordPanel } from './password-panel';
import { SecondFactorPanel } from './second-factor-panel';
import { SessionsPanel } from './sessions-panel';
import { SingleSignOnPanel } from './single-sign-on-panel';
import { useSettingsMessages } from './settings-messages';

/** The person's choices for this browser, and the account. */
export function SettingsScreen(): ReactElement {
  const t = useSettingsMessages();
  const { data: session } = useQuery(sessionQuery);
  const hasAccount = session?.state === 'signed-in';
  const request = new URLSearchParams(location.search).get('connect');
  if (hasAccount && request !== null) {
    return (
      <>
        <ScreenHeader title={t('settings.title')} note={session.user.username} />
        <ConnectPanel request={request} username={session.user.username} />
      </>
    );
  }
  return (
    <>
      <ScreenHeader title={t('settings.title')} note={hasAccount ? session.user.username : undefined} />
      <Appearance />
      {hasAccount ? (
        <>
          <PasswordPanel />
          {session.user.authProvider === 'builtin' ? <SecondFactorPanel /> : null}
          <SessionsPanel />
          <ConnectionsPanel />
          {session.user.role === 'admin' ? (
            <>
              <SingleSignOnPanel />
              <JobSignInPanel />
            </>
          ) : null}
        </>
      ) : null}
    </>
  );
}
