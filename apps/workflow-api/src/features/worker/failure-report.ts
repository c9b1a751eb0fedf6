import type { Logger } from '@weir/service-kit';

export interface FailureReport {
  failed(error: unknown): void;
  succeeded(): void;
}

/** Reports that something which is tried again and again fails, and that it succeeds again, each once. */
export function createFailureReport(
  logger: Logger,
  messages: { readonly failed: string; readonly succeeded: string },
): FailureReport {
  let isFailing = false;
  return {
    failed: (error) => {
      if (!isFailing) logger.warn({ error }, messages.failed);
      isFailing = true;
    },
    succeeded: () => {
      if (isFailing) logger.info({}, messages.succeeded);
      isFailing = false;
    },
  };
}
