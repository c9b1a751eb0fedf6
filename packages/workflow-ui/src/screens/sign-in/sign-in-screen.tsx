import { FormDialog, FormPage } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { SignInForm } from './sign-in-form';
import { useSignInMessages } from './sign-in-messages';

/** For who is not signed in; the address stays, and is shown afterwards. */
export function SignInScreen(): ReactElement {
  const t = useSignInMessages();
  return (
    <FormPage title={t('signIn.title')}>
      <SignInForm />
    </FormPage>
  );
}

/** Over a page whose session has ended. */
export function SignInDialog(): ReactElement {
  const t = useSignInMessages();
  return (
    <FormDialog title={t('signIn.again')} text={t('signIn.againText')}>
      <SignInForm />
    </FormDialog>
  );
}
