import { useQuery } from '@tanstack/react-query';
import { ErrorState, Skeleton } from '@weir/ui-kit';
import { useAppMessages, useFailureProps } from '@weir/ui-kit/app';
import { useRef, type ReactElement, type ReactNode } from 'react';
import { sessionQuery } from './api/session';
import { SignInDialog, SignInScreen } from './screens/sign-in/sign-in-screen';

/** Shows its content to browsers that may read. Where a session ends, the page stays below the dialog. */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactElement {
  const t = useAppMessages();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const failure = useFailureProps(error, () => void refetch());
  const wasSignedIn = useRef(false);
  if (session === undefined) {
    return error === null ? <Skeleton label={t('app.loading')} rows={3} /> : <ErrorState {...failure} />;
  }
  wasSignedIn.current ||= session.signed_in;
  if (!wasSignedIn.current) return <SignInScreen />;
  return (
    <>
      {children}
      {session.signed_in ? null : <SignInDialog />}
    </>
  );
}
