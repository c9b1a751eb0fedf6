// A browser may draw, focus or receive an event later than its neighbours on a machine that is busy, so a case that
// fails is tried once more. What it failed by is printed.
jest.retryTimes(1, { logErrorsBeforeRetry: true, retryImmediately: true });
