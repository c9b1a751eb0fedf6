import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, CardForm, TextField } from '@weir/ui-kit';
import { useFailureProps } from '@weir/ui-kit/app';
import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { isApiError } from '@weir/workflow-client';
import { signIn } from '../../api/session';
import { useSignInMessages } from './sign-in-messages';

/** Username and password, and a code for people with a second factor. */
export function SignInForm(): ReactElement {
  const t = useSignInMessages();
  const client = useQueryClient();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<string | undefined>();
  const [hasCapsLock, setCapsLock] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => signIn(client, { username, password, ...(code === undefined ? {} : { code }) }),
    onError: (reason) => {
      if (asksForCode(reason)) setCode((given) => given ?? '');
    },
  });
  const failure = useFailureProps(error);
  const seconds = waitSeconds(error);
  const explanation = seconds === undefined ? failure.message : t('signIn.wait', { seconds });
  const noteCapsLock = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <CardForm
      onSubmit={() => mutate()}
      error={error === null || asksForCode(error) ? undefined : explanation}
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
      {code === undefined ? null : <CodeField value={code} onChange={setCode} />}
    </CardForm>
  );
}

interface CodeFieldProps {
  readonly value: string;
  readonly onChange: (code: string) => void;
}

function CodeField({ value, onChange }: CodeFieldProps): ReactElement {
  const t = useSignInMessages();
  return (
    <TextField
      label={t('signIn.code')}
      description={t('signIn.codeHint')}
      name="code"
      autoComplete="one-time-code"
      autoFocus
      isRequired
      value={value}
      onChange={onChange}
    />
  );
}

function asksForCode(error: Error): boolean {
  return isApiError(error) && error.reason === 'code_required';
}

function waitSeconds(error: Error | null): number | undefined {
  const seconds = isApiError(error) ? error.details?.retryAfterSeconds : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
}
