import { useQueryClient } from '@tanstack/react-query';
import { Button, CardForm } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { failureParameter, sessionQuery, signInAddress, type SignInProviders } from '../../api/session';
import messages from './messages.json';
import { useSignInMessages } from './sign-in-messages';

interface ProviderButtonsProps {
  readonly providers: SignInProviders;
  readonly onChoose: (address: string) => void;
}

/** A button for each other way to sign in, and the reason why the last attempt failed. */
export function ProviderButtons({ providers, onChoose }: ProviderButtonsProps): ReactElement {
  const t = useSignInMessages();
  const failure = findFailure();
  return (
    <>
      {providers.map((provider, index) => (
        <CardForm
          key={provider.path}
          onSubmit={() => onChoose(signInAddress(provider))}
          error={index === 0 && failure !== undefined ? t(failure) : undefined}
          submit={<Button type="submit">{provider.label}</Button>}
        >
          {null}
        </CardForm>
      ))}
    </>
  );
}

/** Signs in in another window; the page keeps its typed text and continues when the visitor is back. */
export function useSignInBeside(): (address: string) => void {
  const client = useQueryClient();
  return (address) => {
    window.open(address, '_blank', 'noopener');
    const refresh = (): void => void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    window.addEventListener('focus', refresh, { once: true });
  };
}

type FailureMessage = Extract<keyof typeof messages, `signIn.failed.${string}`>;

function findFailure(): FailureMessage | undefined {
  const reason = new URLSearchParams(location.search).get(failureParameter);
  if (reason === null) return undefined;
  const message = `signIn.failed.${reason}`;
  return isFailureMessage(message) ? message : 'signIn.failed.other';
}

function isFailureMessage(text: string): text is FailureMessage {
  return Object.hasOwn(messages, text);
}
