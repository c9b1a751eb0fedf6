import { isDriverAdapterError } from '@prisma/driver-adapter-utils';
import { causeChain } from '@weir/errors';

const userAndPassword = /\/\/[^\s/@]*@/g;
const maxLength = 300;

/** What the driver says about a failure, in one line and without the user and password of an address. */
export function describeFailure(failure: unknown): string {
  const texts = causeChain(failure)
    .flatMap(readTexts)
    .filter((text) => text.trim() !== '');
  const lines = (texts.at(-1) ?? 'it does not answer').trim().split('\n');
  return (lines.at(-1) ?? '').replaceAll(userAndPassword, '//').slice(0, maxLength);
}

function readTexts(error: unknown): readonly string[] {
  if (isDriverAdapterError(error)) return [error.cause.originalMessage ?? error.message];
  // One of these comes from a name with several addresses, each of which was tried.
  if (error instanceof AggregateError) return [error.errors.map(String).join(', ')];
  return error instanceof Error ? [error.message] : [];
}
