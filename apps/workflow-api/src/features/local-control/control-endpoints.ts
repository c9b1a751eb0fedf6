import { endpoint } from '@weir/http-contract';
import type { z } from 'zod';
import { StartRequest } from './control-contract';
import {
  HistoryQuery,
  Removed,
  RemoveQuery,
  RunAddress,
  Runs,
  RunSnapshot,
  StoppedRuns,
  Suspended,
} from './control-messages';
import { ApprovalDone, ApprovalOrder, Gates, ParamsOfRun, RetryOrder, TaskDone, TaskOrder } from './decision-messages';

/** One operation of `RunControl` as it goes over the socket: always a body there and a body back. */
function operation<Name extends string, Body extends z.ZodType, Answer extends z.ZodType>(
  name: Name,
  body: Body,
  answer: Answer,
) {
  return endpoint({
    method: 'POST',
    path: `/control/${name}`,
    operationId: `${name}Here`,
    tag: 'local-control',
    summary: `Run control: ${name}`,
    access: 'public',
    body,
    success: { status: 200, description: 'Done.', schema: answer },
    errors: {},
  });
}

export const enqueueHere = operation('enqueue', StartRequest, RunSnapshot);
export const statusHere = operation('status', RunAddress, RunSnapshot);
export const historyHere = operation('history', HistoryQuery, Runs);
export const stopHere = operation('stop', RunAddress, StoppedRuns);
export const dequeueHere = operation('dequeue', RunAddress, StoppedRuns);
export const removeHere = operation('remove', RemoveQuery, Removed);
export const paramsOfHere = operation('paramsOf', RunAddress, ParamsOfRun);
export const retryHere = operation('retry', RetryOrder, RunSnapshot);
export const gatesHere = operation('gates', RunAddress, Gates);
export const completeHere = operation('complete', TaskOrder, TaskDone);
export const decideHere = operation('decide', ApprovalOrder, ApprovalDone);
export const suspendedHere = operation('suspended', RunAddress.partial(), Suspended);
