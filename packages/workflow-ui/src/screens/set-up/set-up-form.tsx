import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, CardForm, TextField } from '@weir/ui-kit';
import { useFailureProps } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { isApiError } from '@weir/workflow-client';
import { sessionQuery, setUp } from '../../api/session';
import { useSetUpMessages } from './set-up-messages';

/** Name and password of the first admin, and the token of a server that other machines can reach. */
export function SetUpForm({ needsToken }: { readonly needsToken: boolean }): ReactElement {
  const t = useSetUpMessages();
  const [admin, setAdmin] = useState({ username: '', password: '', setupToken: '' });
  const { submit, isPending, error } = useSetUp();
  const failure = useFailureProps(error);
  const { setupToken, ...credentials } = admin;
  return (
    <CardForm
      onSubmit={() => submit(needsToken ? admin : credentials)}
      error={error === null ? undefined : failure.message}
      submit={
        <Button type="submit" variant="primary" isPending={isPending}>
          {t('setUp.submit')}
        </Button>
      }
    >
      <p>{t('setUp.text')}</p>
      <TextField
        {...{ label: t('setUp.username'), name: 'username', autoComplete: 'username', value: admin.username }}
        autoFocus
        isRequired
        onChange={(username) => setAdmin({ ...admin, username })}
      />
      <TextField
        {...{ label: t('setUp.password'), name: 'password', type: 'password', value: admin.password }}
        {...{ description: t('setUp.passwordHint'), autoComplete: 'new-password', minLength: 8 }}
        isRequired
        onChange={(password) => setAdmin({ ...admin, password })}
      />
      {needsToken ? (
        <TextField
          {...{ label: t('setUp.token'), name: 'setupToken', autoComplete: 'off', value: setupToken }}
          description={t('setUp.tokenHint')}
          isRequired
          onChange={(token) => setAdmin({ ...admin, setupToken: token })}
        />
      ) : null}
    </CardForm>
  );
}

function useSetUp() {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (admin: Parameters<typeof setUp>[1]) => setUp(client, admin),
    onError: (failure) => {
      // Another request has already created the first admin.
      if (isApiError(failure) && failure.reason === 'setup_completed') {
        void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      }
    },
  });
  return { submit: mutate, isPending, error };
}
