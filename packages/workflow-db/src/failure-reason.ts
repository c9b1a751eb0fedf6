import { isDriverAdapterError } from '@prisma/driver-adapter-utils';
import { causeChain } from '@weir/foundation';

const userAndPassword = /\/\/[^\s/@]*@/g;
const maxLength = 300;

/** The driver's message in one line, without the user and password of a URL. */
export function describeFailure(failure: unknown): string {
  const texts = causeChain(failure)
    .flatMap(readTexts)
    .filter((text) => text.trim() !== '');
  const lines = (texts.at(-1) ?? 'it does not answer').trim().split('\n');
  return (lines.at(-1) ?? '').replaceAll(userAndPassword, '//').slice(0, maxLength);
}

function readTexts(error: unknown): readonly string[] {
  if (isDriverAdapterError(error)) return [error.cause.originalMessage ?? error.message];
  // Connecting to a name with several addresses fails with one error per address.
  if (error instanceof AggregateError) return [error.errors.map(String).join(', ')];
  return error instanceof Error ? [error.message] : [];
}
