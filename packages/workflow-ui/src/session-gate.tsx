import { useQuery } from '@tanstack/react-query';
import { ErrorState, Skeleton } from '@weir/ui-kit';
import { useFailureProps } from '@weir/ui-kit/app';
import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { liveStream } from './api/live-stream';
import { onSessionChange, sessionQuery } from './api/session';
import { SetUpScreen } from './screens/set-up/set-up-screen';
import { SignInDialog, SignInScreen } from './screens/sign-in/sign-in-screen';
import { useAppMessages } from './parts/text/app-messages';

/**
 * Shows its content to people who are signed in. The address stays the same. Where a session ends while a page is
 * open, the page remains below the dialog, with its typed text.
 */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactElement {
  const t = useAppMessages();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const failure = useFailureProps(error, () => void refetch());
  const wasSignedIn = useRef(false);
  useEffect(() => {
    const reread = (): void => void refetch();
    const stopTabs = onSessionChange((change) => (change === 'signed-out' ? location.reload() : reread()));
    // A stream does not reveal whether the session or the network has ended.
    const stopState = liveStream.onStateChange(() => {
      if (liveStream.getState() === 'retrying') reread();
    });
    return () => {
      stopTabs();
      stopState();
    };
  }, [refetch]);
  if (session === undefined) {
    return error === null ? <Skeleton label={t('app.loading')} rows={3} /> : <ErrorState {...failure} />;
  }
  switch (session.state) {
    case 'set-up':
      return <SetUpScreen needsToken={session.needsToken} />;
    case 'signed-out':
      if (!wasSignedIn.current) return <SignInScreen providers={session.providers} />;
      return (
        <>
          {children}
          <SignInDialog providers={session.providers} />
        </>
      );
    case 'open':
    case 'signed-in':
      wasSignedIn.current = true;
      return <>{children}</>;
  }
}
