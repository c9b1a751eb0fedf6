import { isApiError } from '@weir/api-client';
import type { ErrorStateProps } from '../../states/states';
import { useAppMessages } from '../text/app-messages';
import { ServerUnreachable } from './failure';

/** Returns the sentence that describes a failed request; the server's own, where it has answered. */
export function useSentence(error: Error | null): string | undefined {
  const t = useAppMessages();
  if (error === null) return undefined;
  if (isApiError(error)) return error.message;
  return error instanceof ServerUnreachable ? t('app.unreachable') : t('app.unexpected');
}

/** Returns what an `ErrorState` shows about a failed request: the sentence of the server, the id of the request, and Retry. */
export function useFailureProps(error: Error | null, onRetry?: () => void): ErrorStateProps {
  const t = useAppMessages();
  const message = useSentence(error) ?? t('app.unexpected');
  return {
    message,
    requestId: isApiError(error) ? error.requestId : undefined,
    requestIdLabel: t('app.request'),
    retryLabel: t('app.retry'),
    onRetry,
  };
}
