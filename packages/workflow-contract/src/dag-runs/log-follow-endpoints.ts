import { z } from 'zod';
import { logOperation, logStart } from './log-operation';
import { stepLinesQuery, invalidRequest } from './shared';

export const {
  ofRun: followDagRunLog,
  ofStep: followDagRunStepLog,
  ofSubRun: followSubDagRunLog,
  ofSubStep: followSubDagRunStepLog,
} = logOperation({
  action: 'follow',
  operation: ['follow'],
  title: 'Follow',
  description:
    'Server-sent events. "lines" is a LogLinesResponse with the next complete lines; its id continues after them. "cut" with {line, byte} says that the log became shorter: what is sent from that line on replaces what was sent before. "end" with {nextLine, nextByte} is sent when the step or run has ended and all its lines were sent; "closed" with {code, message} when the log can no longer be read. After both the client is to close the stream. A stream ends without them after five minutes and is to be opened again with the last event id.',
  query: {
    ...logStart({ minimumTail: 0 }),
    lastEventId: z
      .string()
      .max(32)
      .optional()
      .describe('Id of the last event, as the header Last-Event-ID; takes precedence over where to begin.'),
  },
  stepQuery: stepLinesQuery,
  success: { status: 200, description: 'The events.', content: { kind: 'events' } },
  errors: {
    400: { ...invalidRequest, reasons: [...invalidRequest.reasons, 'invalid_last_event_id'] },
    503: { description: 'There are too many streams.', reasons: ['too_many_streams'] },
  },
});
