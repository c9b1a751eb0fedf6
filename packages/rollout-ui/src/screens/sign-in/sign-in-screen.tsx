import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, CardForm, FormDialog, FormPage, TextField } from '@weir/ui-kit';
import { defineMessages, useFailureProps } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { signIn } from '../../api/session';
import messages from './messages.json';

const useMessages = defineMessages(messages);

/** For browsers that are not signed in; the address stays, and is shown afterwards. */
export function SignInScreen(): ReactElement {
  const t = useMessages();
  return (
    <FormPage title={t('signIn.title')}>
      <SignInForm text={t('signIn.text')} />
    </FormPage>
  );
}

/** Over a page whose session has ended. */
export function SignInDialog(): ReactElement {
  const t = useMessages();
  return (
    <FormDialog title={t('signIn.again')} text={t('signIn.againText')}>
      <SignInForm />
    </FormDialog>
  );
}

function SignInForm({ text }: { readonly text?: string }): ReactElement {
  const t = useMessages();
  const client = useQueryClient();
  const [key, setKey] = useState('');
  const { mutate, isPending, error } = useMutation({ mutationFn: () => signIn(client, key) });
  const failure = useFailureProps(error);
  return (
    <CardForm
      onSubmit={() => mutate()}
      error={error === null ? undefined : failure.message}
      submit={
        <Button type="submit" variant="primary" isPending={isPending}>
          {t('signIn.submit')}
        </Button>
      }
    >
      {text === undefined ? null : <p>{text}</p>}
      <TextField
        label={t('signIn.key')}
        description={t('signIn.hint')}
        name="key"
        type="password"
        autoComplete="current-password"
        autoFocus
        isRequired
        value={key}
        onChange={setKey}
      />
    </CardForm>
  );
}
