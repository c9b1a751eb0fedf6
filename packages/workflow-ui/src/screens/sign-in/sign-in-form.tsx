import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, CardForm, TextField } from '@weir/ui-kit';
import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { isApiError } from '@weir/workflow-client';
import { signIn } from '../../api/session';
import { useFailureProps } from '../../app/failure';
import { useSignInMessages } from './sign-in-messages';

/** Username and password. */
export function SignInForm(): ReactElement {
  const t = useSignInMessages();
  const client = useQueryClient();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [hasCapsLock, setCapsLock] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => signIn(client, { username, password }),
  });
  const failure = useFailureProps(error);
  const seconds = waitSeconds(error);
  const explanation = seconds === undefined ? failure.message : t('signIn.wait', { seconds });
  const noteCapsLock = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <CardForm
      onSubmit={() => mutate()}
      error={error === null ? undefined : explanation}
      submit={
        <Button type="submit" variant="primary" isPending={isPending}>
          {t('signIn.submit')}
        </Button>
      }
    >
      <TextField
        label={t('signIn.username')}
        name="username"
        autoComplete="username"
        autoFocus
        isRequired
        value={username}
        onChange={setUsername}
      />
      <TextField
        label={t('signIn.password')}
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        value={password}
        onChange={setPassword}
        onKeyDown={noteCapsLock}
        onKeyUp={noteCapsLock}
        description={hasCapsLock ? t('signIn.capsLock') : undefined}
      />
    </CardForm>
  );
}

function waitSeconds(error: Error | null): number | undefined {
  const seconds = isApiError(error) ? error.details?.retryAfterSeconds : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
}
