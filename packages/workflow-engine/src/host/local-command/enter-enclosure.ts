import { isAppError } from '@weir/foundation';
import type { Enclosure, ProcessStart } from '../../model/ports/step-isolation';
import { processNotStarted } from './command-errors';
import type { StepCommand } from './step-command';

/** The start as it is without an enclosure. Throws `process_not_started`, and as the enclosure. */
export async function enterEnclosure(
  enclosure: Enclosure | undefined,
  start: ProcessStart,
  kind?: StepCommand['run']['kind'],
): Promise<ProcessStart> {
  try {
    return (await enclosure?.enter(start)) ?? start;
  } catch (error) {
    throw isAppError(error) ? error : processNotStarted(error, kind);
  }
}
