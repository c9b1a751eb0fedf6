import { isAppError } from '@weir/foundation';
import { LeaseLost, TurnEnded } from './agent-errors';
import { askAgentModel } from './ask-agent-model';
import { nextStep } from './conversation';
import { executeCall } from './execute-call';
import type { Turn, TurnPorts } from './turn-ports';
import type { StepResult, TurnState } from './turn-state';

/**
 * Works on a claimed session until the model has replied, the person is asked, or a limit is reached. Every step is
 * stored before the next one, so that the process that claims the session next can continue. Never rejects.
 */
export async function runTurn(ports: TurnPorts, turn: Turn): Promise<void> {
  try {
    while (await takeStep(ports, turn));
  } catch (error) {
    if (error instanceof LeaseLost) return;
    // When the server stops, the session gets a message; a cancelled or lost one belongs to another process.
    const { aborted: isAborted } = turn.signal;
    const reason: unknown = turn.signal.reason;
    if (!isAborted || isAppError(reason)) await endWithError(ports, turn, isAborted ? reason : error);
  }
}

/** Returns whether another step follows. */
async function takeStep(ports: TurnPorts, turn: Turn): Promise<boolean> {
  const { agentSessions } = ports;
  const state = await readState(ports, turn);
  const next = nextStep(state.messages);
  if (next.kind === 'done')
    return !(await agentSessions.release(turn.sessionId, turn.fence, state.session.lastSequence));
  const result =
    next.kind === 'ask' ? await askAgentModel(ports, turn, state) : await executeCall(ports, turn, state, next);
  await store(ports, turn, result);
  return result.changes?.release !== true;
}

async function readState({ agentSessions }: TurnPorts, { sessionId, signal }: Turn): Promise<TurnState> {
  signal.throwIfAborted();
  const session = await agentSessions.find(sessionId);
  if (session === undefined) throw new LeaseLost();
  const messages = await agentSessions.listMessages(sessionId);
  // The next step reads messages that were written between the two queries.
  return { session, messages: messages.filter(({ sequence }) => sequence <= session.lastSequence) };
}

async function store(
  { agentSessions, clock, random }: TurnPorts,
  turn: Turn,
  { message, changes }: StepResult,
): Promise<void> {
  const now = clock.now();
  const added = [{ ...message, id: random.uuid(), createdAt: now }];
  const stored = await agentSessions.append(turn.sessionId, added, { ...changes, now }, { fence: turn.fence });
  if (stored === undefined) throw new LeaseLost();
}

async function endWithError(ports: TurnPorts, turn: Turn, error: unknown): Promise<void> {
  const { logger } = ports;
  const { sessionId } = turn;
  const isExpected = error instanceof TurnEnded || isAppError(error);
  if (isExpected) logger.info({ sessionId, error }, 'the agent has ended its work');
  else logger.error({ sessionId, error }, 'the agent has failed');
  const content = isExpected ? error.message : 'The agent has failed. Write again to go on.';
  await store(ports, turn, { message: { type: 'error', content, data: {} }, changes: { release: true } }).catch(
    (failure: unknown) => {
      // The lease ends by itself.
      if (!(failure instanceof LeaseLost))
        logger.error({ sessionId, error: failure }, 'the end of the work was not stored');
    },
  );
}
