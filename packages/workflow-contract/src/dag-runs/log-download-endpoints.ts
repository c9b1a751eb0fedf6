import { logOperation } from './log-operation';
import { stepTextQuery } from './shared';

export const {
  ofRun: downloadDagRunLog,
  ofStep: downloadDagRunStepLog,
  ofSubRun: downloadSubDagRunLog,
  ofSubStep: downloadSubDagRunStepLog,
} = logOperation({
  action: 'download',
  operation: ['download'],
  title: 'Download',
  description:
    'Byte ranges are supported. A log that was not written yet is an empty file. The id "latest" selects the newest run of the DAG.',
  query: {},
  stepQuery: stepTextQuery,
  success: {
    status: 200,
    description: 'The log as an attachment, as long as it was at the time of the request.',
    content: { kind: 'file', type: 'text/plain; charset=utf-8' },
  },
});
