import { AppError, yieldToEventLoop } from '@weir/foundation';
import { rolloutContract, type SessionSummary, type ServiceStatus } from '@weir/rollout-contract';
import { pathSegments, type Interaction } from '@weir/rollout-core';
import type { Bind } from '../../bind';
import { askSearch, askSessions, askStatus } from '../fleet';
import { presentSession, type Session, type SessionService } from '../sessions';
import type { ExportService } from '../trajectories';
import { negotiateFormat } from '../trajectories';
import type { Prices } from '../../config';
import { listTasks, type TaskSession } from './list-tasks';
import { addUsage } from './model-usage';
import { presentAlternatives } from './present-alternatives';
import { presentForest } from './present-forest';
import { presentInteraction } from './present-interaction';
import { presentStatus, type StatusSources } from './present-status';
import { presentTokens, type TokenTable } from './present-tokens';
import { mergeSearches, searchInteractions } from './search-interactions';
import type { SessionWatch } from './session-watch';

export interface ReadingRoutesOptions extends StatusSources {
  readonly sessions: SessionService;
  readonly exports: ExportService;
  readonly watch: SessionWatch;
  readonly tokenTable: TokenTable;
}

/** Everything that looks at sessions without changing them. */
export function bindReadingRoutes(bind: Bind, options: ReadingRoutesOptions): void {
  const { store, sessions, digests, watch, tokenTable } = options;
  bind(rolloutContract.listTasks, async ({ input }) => {
    const others = await options.fleet.gather((client) => askSessions(client));
    const elsewhere = others.flatMap(({ sessions: list }) => list.map(toTaskSession));
    const own = store.all().map((session) => ({
      taskId: session.taskId,
      number: session.number,
      present: () => presentSession(session, digests),
    }));
    // A session that has just moved may be in two lists.
    const all = new Map([...own, ...elsewhere].map((session) => [session.number, session]));
    const { items, nextCursor } = listTasks([...all.values()], input.query, options.prices);
    return { tasks: [...items], next_cursor: nextCursor };
  });
  bind(rolloutContract.getForest, ({ input: { params, query } }) =>
    presentForest(
      sessions.get(params.sessionId),
      { ...query, dropRetryOrphans: isTrue(query.drop_retry_orphans) },
      digests,
    ),
  );
  bind(rolloutContract.getInteraction, ({ input }) => {
    const session = sessions.get(input.params.sessionId);
    return presentInteraction(session, findInteraction(session.cache, input.params.interactionId), digests);
  });
  bind(rolloutContract.getTokens, async ({ input, principal }) => {
    const session = sessions.get(input.params.sessionId);
    const interaction = findInteraction(session.cache, input.params.interactionId);
    // Those of a long path take hundreds of milliseconds together; each call's are kept.
    for (const { interaction: owner } of pathSegments(interaction)) {
      if (digests.entropies(owner) !== undefined) await yieldToEventLoop();
    }
    const tokens = presentTokens(session, interaction, { table: tokenTable, digests });
    return negotiateFormat(principal.accept) === 'safetensors' ? tokens.toSafetensors() : tokens.toJson();
  });
  bind(rolloutContract.getAlternatives, ({ input: { params, query } }) => {
    const session = sessions.get(params.sessionId);
    const interaction = findInteraction(session.cache, params.interactionId);
    return presentAlternatives(session, interaction, { table: tokenTable, window: query });
  });
  bind(rolloutContract.searchInteractions, async ({ input: { query }, principal, signal }) => {
    const { text, limit, cursor, session_id: id } = query;
    const search = (searched: readonly Session[]) =>
      searchInteractions(searched, { text, limit, cursor, matchCase: isTrue(query.match_case) }, signal);
    if (id !== undefined) return search([sessions.get(id)]);
    if (principal.isFromReplica) return search(store.all());
    const others = await options.fleet.gather((client) => askSearch(client, query));
    return mergeSearches([await search(store.all()), ...others], { limit });
  });
  bind(rolloutContract.getStatus, async ({ principal }) => {
    const others = principal.isFromReplica ? [] : await options.fleet.gather(askStatus);
    return addStatuses([await presentStatus(options), ...others], options.prices);
  });
  bind(rolloutContract.watchSessions, ({ signal, principal }) =>
    principal.isFromReplica ? watch.watchOwn(signal) : watch.watch(signal),
  );
  bindPreviews(bind, options);
}

function bindPreviews(bind: Bind, { sessions, exports }: ReadingRoutesOptions): void {
  bind(rolloutContract.previewRows, ({ input: { params, query } }) =>
    exports.previewRows(sessions.get(params.sessionId), {
      ...query,
      drop_retry_orphans: isTrue(query.drop_retry_orphans),
      strict: isTrue(query.strict),
    }),
  );
  bind(rolloutContract.previewExport, ({ input: { params, query }, principal }) => {
    const made = exports.preview(sessions.get(params.sessionId), {
      ...query,
      drop_retry_orphans: isTrue(query.drop_retry_orphans),
      strict: isTrue(query.strict),
      include_messages: isTrue(query.include_messages),
    });
    const format = query.format ?? negotiateFormat(principal.accept);
    return format === 'safetensors' ? made.toSafetensors() : made.toJson();
  });
}

function toTaskSession(session: SessionSummary): TaskSession {
  return { taskId: session.task_id, number: session.number, present: () => session };
}

const isTrue = (flag: 'true' | 'false'): boolean => flag === 'true';

function findInteraction(cache: { get(id: string): Interaction | undefined }, id: string): Interaction {
  const interaction = cache.get(id);
  if (interaction !== undefined) return interaction;
  throw new AppError('not_found', 'The session has no completed interaction of this id.', {
    reason: 'unknown_interaction',
  });
}

/** Merges the statuses of several processes into one. Weights, grants and capacity are common to all of them. */
function addStatuses(all: readonly [ServiceStatus, ...ServiceStatus[]], prices: Prices): ServiceStatus {
  const [own] = all;
  const sum = (read: (status: ServiceStatus) => number): number => all.reduce((total, one) => total + read(one), 0);
  return {
    ...own,
    running_generations: sum((status) => status.running_generations),
    unfinished_sessions: sum((status) => status.unfinished_sessions),
    sessions: sum((status) => status.sessions),
    bytes: sum((status) => status.bytes),
    max_bytes: sum((status) => status.max_bytes),
    sampled_tokens: sum((status) => status.sampled_tokens),
    tokens_last_minute: sum((status) => status.tokens_last_minute),
    versions: addVersions(all.flatMap(({ versions }) => versions)),
    models: addUsage(
      all.flatMap(({ models }) => models),
      prices,
    ),
  };
}

function addVersions(all: ServiceStatus['versions']): ServiceStatus['versions'] {
  const tokens = new Map<number, number>();
  for (const one of all) tokens.set(one.version, (tokens.get(one.version) ?? 0) + one.tokens);
  return [...tokens]
    .map(([version, count]) => ({ version, tokens: count }))
    .sort((one, other) => other.version - one.version);
}
