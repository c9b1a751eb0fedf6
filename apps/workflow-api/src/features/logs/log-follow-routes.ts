import { AppError } from '@weir/foundation';
import type { ServerEvent } from '@weir/http-contract';
import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { LinePosition, LinesRange } from './reader';
import type { Principal } from '../../access/principal';
import type { RunAddress } from '../runs/read/run-addresses';
import { followLog } from './follow-log';
import type { LogFollowers, LogSubscription } from './log-followers';
import type { SourceSelection } from './run-logs';

interface FollowRequest {
  readonly params: RunAddress;
  readonly query: LinesRange & { readonly lastEventId?: string | undefined };
  readonly selection: SourceSelection;
  readonly principal: Principal;
  /** The last event id of the header. */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}

// After this time the client opens a new stream, for which its credential is checked again.
const maxStreamMs = 5 * 60_000;

/** Binds the streams of logs that are sent while they are written. */
export function bindLogFollowRoutes(bind: Bind, followers: LogFollowers): void {
  const follow = async ({ params, query, selection, principal, lastEventId, signal }: FollowRequest) => {
    const known = readLastEventId(query.lastEventId ?? lastEventId);
    const subscription = await followers.open(params, selection, principal);
    try {
      const from = known ?? (await subscription.log.findStart(query, signal));
      return send(subscription, from, signal);
    } catch (error) {
      subscription.close();
      throw error;
    }
  };

  for (const endpoint of [workflowContract.followDagRunLog, workflowContract.followSubDagRunLog]) {
    bind(endpoint, ({ input: { params, query }, principal, lastEventId, signal }) => {
      return follow({ params, query, selection: {}, principal, lastEventId, signal });
    });
  }

  for (const endpoint of [workflowContract.followDagRunStepLog, workflowContract.followSubDagRunStepLog]) {
    bind(endpoint, ({ input: { params, query }, principal, lastEventId, signal }) => {
      const selection = { stepName: params.stepName, stream: query.stream, attempt: query.attempt };
      return follow({ params, query, selection, principal, lastEventId, signal });
    });
  }
}

async function* send(
  subscription: LogSubscription,
  from: LinePosition,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  try {
    yield* followLog(subscription, from, AbortSignal.any([signal, AbortSignal.timeout(maxStreamMs)]));
  } finally {
    subscription.close();
  }
}

/** Returns the position of the line after those that the client has. */
function readLastEventId(text: string | undefined): LinePosition | undefined {
  if (text === undefined || text === '') return undefined;
  const [, line, byte] = /^([1-9]\d{0,9})\.(\d{1,13})$/.exec(text) ?? [];
  if (line !== undefined && byte !== undefined) return { line: Number(line), byte: Number(byte) };
  throw new AppError('invalid_request', 'The last event id is not one of this stream.', {
    reason: 'invalid_last_event_id',
  });
}
