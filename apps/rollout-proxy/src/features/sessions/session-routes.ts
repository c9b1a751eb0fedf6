import { AppError } from '@weir/foundation';
import {
  ignoredFields,
  rolloutContract,
  type SessionAdapter,
  type SetLossWeightRequest,
  SetRewardRequest,
  StartSessionRequest,
} from '@weir/rollout-contract';
import type { Recording } from '@weir/rollout-engine';
import type { Bind } from '../../bind';
import type { Caller } from '../access';
import { askSessions, type Fleet } from '../fleet';
import type { IdempotentAnswers } from '../idempotency';
import type { Digests } from './digests';
import { listSessions, mergePages } from './list-sessions';
import { presentSession, presentSessionDetail } from './session-presenter';
import type { SessionService } from './session-service';
import type { SessionStore } from './session-store';
import type { LossWeightTarget, Session } from '../../session';

export interface SessionRoutesOptions {
  readonly service: SessionService;
  readonly store: SessionStore;
  readonly digests: Digests;
  readonly answers: IdempotentAnswers;
  readonly fleet: Fleet;
  /** Has the engine load an adapter, and start with it as long as nobody can release it. */
  readonly withAdapter: <T>(given: SessionAdapter, start: (name: string) => Promise<T>) => Promise<T>;
}

/** Returns the session of the key, or with the admin key the named session. */
export function resolveSession(
  caller: Caller<Session>,
  id: string | null | undefined,
  service: Pick<SessionService, 'get'>,
): Session {
  if (caller.kind === 'session') {
    if (id === null || id === undefined || id === caller.session.id) return caller.session;
    throw new AppError('forbidden', 'The key is that of another session.', { reason: 'session_not_own' });
  }
  if (id !== null && id !== undefined) return service.get(id);
  throw new AppError('invalid_request', 'With the admin key, name the session in "session_id".', {
    reason: 'session_id_missing',
  });
}

export function bindSessionRoutes(bind: Bind, options: SessionRoutesOptions): void {
  const { service, digests, answers, withAdapter } = options;
  bind(rolloutContract.startSession, ({ principal, input }) =>
    answers.once({ caller: principal, operation: 'start', request: input.body }, async () => {
      const start = (adapter?: string) =>
        service.start({
          taskId: input.body.task_id,
          key: input.body.api_key ?? undefined,
          idempotencyKey: principal.idempotencyKey,
          recording: toRecording(input.body.record),
          adapter,
        });
      const given = input.body.adapter;
      const { sessionId, key } = await (given === undefined ? start() : withAdapter(given, start));
      const names = { session_id: sessionId, session_api_key: key, api_key: key };
      return { ...names, ...ignoredFields(StartSessionRequest, input.body) };
    }),
  );

  bind(rolloutContract.endSession, ({ principal, input }) => {
    const session = resolveSession(principal, input.body.session_id, service);
    const request = { caller: principal, owner: idempotencyOwner(principal), operation: 'end', request: session.id };
    return answers.once(request, async () => {
      await session.end('client');
      return { message: 'success', interaction_count: session.cache.size };
    });
  });

  bind(rolloutContract.setReward, ({ principal, input }) => {
    const { reward, interaction_id: interactionId, session_id: sessionId } = input.body;
    const session = resolveSession(principal, sessionId, service);
    const request = {
      caller: principal,
      owner: idempotencyOwner(principal),
      operation: 'reward',
      request: [session.id, interactionId ?? null, reward],
    };
    return answers.once(request, async () => {
      const isCorrection = principal.kind === 'admin';
      const given = await session.setReward({ interactionId: interactionId ?? undefined, reward, isCorrection });
      return {
        message: 'success',
        session_id: session.id,
        interaction_id: given.interactionId,
        reward: given.reward,
        revision: given.revision,
        ...ignoredFields(SetRewardRequest, input.body),
      };
    });
  });

  bind(rolloutContract.setLossWeight, ({ principal, input }) => {
    const { interaction_id: interactionId, session_id: sessionId, weight, ranges } = input.body;
    const session = resolveSession(principal, sessionId, service);
    const request = {
      caller: principal,
      owner: idempotencyOwner(principal),
      operation: 'loss-weight',
      request: [session.id, interactionId ?? null, weight ?? null, ranges ?? null],
    };
    const target = toWeightTarget(input.body);
    return answers.once(request, async () => {
      await session.setLossWeights({ target, isCorrection: principal.kind === 'admin' });
      return { message: 'success', session_id: session.id };
    });
  });

  bind(rolloutContract.listSessions, async ({ input: { query }, principal }) => {
    const others = principal.isFromReplica ? [] : await options.fleet.gather((client) => askSessions(client, query));
    const { items, nextCursor } = listSessions(options.store.all(), { ...query, taskId: query.task_id });
    const own = { sessions: items.map((session) => presentSession(session, digests)), next_cursor: nextCursor };
    return mergePages([own, ...others], query);
  });
  bind(rolloutContract.getSession, ({ input }) => presentSessionDetail(service.get(input.params.sessionId), digests));
  bind(rolloutContract.deleteSession, async ({ input }) => {
    await service.remove(service.get(input.params.sessionId));
  });
}

/** Fields that are not named are those of the service. */
function toRecording(record: StartSessionRequest['record']): Partial<Recording> | undefined {
  if (record === undefined) return undefined;
  const given = {
    topLogprobs: record.top_logprobs,
    promptLogprobs: record.prompt_logprobs,
    samplingMask: record.sampling_mask,
    routedExperts: record.routed_experts,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function toWeightTarget({ interaction_id: id, weight, ranges }: SetLossWeightRequest): LossWeightTarget['target'] {
  const interactionId = id ?? undefined;
  if (interactionId === undefined) {
    if (weight !== undefined && ranges === undefined) return { kind: 'session', weight };
  } else if ((weight === undefined) !== (ranges === undefined)) {
    if (ranges !== undefined) return { kind: 'interaction', interactionId, ranges };
    if (weight !== undefined) return { kind: 'interaction', interactionId, weight };
  }
  throw new AppError('invalid_request', 'Give "weight" for a session or call, or "ranges" with "interaction_id".', {
    reason: 'request_invalid',
  });
}

function idempotencyOwner(caller: Caller<Session>): string {
  return caller.kind === 'session' ? `session ${caller.session.id}` : 'admin';
}
