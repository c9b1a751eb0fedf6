import { FormDialog, FormPage } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import type { SignInProviders } from '../../api/session';
import { ProviderButtons, useSignInBeside } from './provider-buttons';
import { SignInForm } from './sign-in-form';
import { useSignInMessages } from './sign-in-messages';

interface SignInProps {
  readonly providers: SignInProviders;
}

/** Shown to people who are not signed in; the address stays, and is shown afterwards. */
export function SignInScreen({ providers }: SignInProps): ReactElement {
  const t = useSignInMessages();
  return (
    <FormPage title={t('signIn.title')}>
      <SignInForm />
      <ProviderButtons providers={providers} onChoose={(address) => location.assign(address)} />
    </FormPage>
  );
}

/** Shown over a page whose session has ended. */
export function SignInDialog({ providers }: SignInProps): ReactElement {
  const openBeside = useSignInBeside();
  const t = useSignInMessages();
  return (
    <FormDialog title={t('signIn.again')} text={t('signIn.againText')}>
      <SignInForm />
      <ProviderButtons providers={providers} onChoose={openBeside} />
    </FormDialog>
  );
}
