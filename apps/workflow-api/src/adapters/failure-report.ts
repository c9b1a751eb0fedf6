import type { Logger } from '@weir/service-kit';

export interface FailureReport {
  failed(error: unknown): void;
  succeeded(): void;
}

/** Logs once that repeated work fails, and once that it succeeds again. */
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

/** Reports whether the work failed. Never rejects. */
export async function reportFailure(work: Promise<unknown>, report: FailureReport): Promise<void> {
  try {
    await work;
    report.succeeded();
  } catch (error) {
    report.failed(error);
  }
}
