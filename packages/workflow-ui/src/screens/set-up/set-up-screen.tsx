import { FormPage } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { SetUpForm } from './set-up-form';
import { useSetUpMessages } from './set-up-messages';

/** The first page of a new server: creates the first admin and signs it in. */
export function SetUpScreen({ needsToken }: { readonly needsToken: boolean }): ReactElement {
  const t = useSetUpMessages();
  return (
    <FormPage title={t('setUp.title')}>
      <SetUpForm needsToken={needsToken} />
    </FormPage>
  );
}
