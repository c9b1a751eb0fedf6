import { AppError } from '@weir/foundation';

export const agentDisabled = (): AppError =>
  new AppError('not_found', 'The agent is disabled.', { reason: 'agent_disabled' });

export const sessionNotFound = (id: string): AppError =>
  new AppError('not_found', `There is no session "${id}".`, { reason: 'agent_session_not_found' });

export const sessionTaken = (): AppError =>
  new AppError('conflict', 'There is a session of this id.', { reason: 'agent_session_taken' });

export const modelMissing = (): AppError =>
  new AppError('unavailable', 'There is no model that can be asked.', { reason: 'agent_model_missing' });

export const soulUnknown = (id: string): AppError =>
  new AppError('invalid_request', `There is no soul "${id}".`, { reason: 'agent_soul_unknown' });

export const promptGone = (): AppError =>
  new AppError('gone', 'The prompt was answered or withdrawn.', { reason: 'agent_prompt_gone' });

export const answerInvalid = (message: string): AppError =>
  new AppError('invalid_request', message, { reason: 'agent_answer_invalid' });

export const serverStopped = (): AppError =>
  new AppError('unavailable', 'The server was stopped while it answered. Write again to go on.', {
    reason: 'agent_interrupted',
  });

/** The session was cancelled, or claimed by another process. */
export class LeaseLost extends Error {}

/** Ends the work on a message. The person reads the text of this error. */
export class TurnEnded extends Error {}
