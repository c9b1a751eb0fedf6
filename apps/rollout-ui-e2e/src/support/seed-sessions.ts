import type { Viewer } from './start-viewer';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface SeededSession {
  readonly id: string;
  readonly key: string;
  /** Asks, and returns the id of the interaction and the conversation that goes on from it. */
  readonly ask: (messages: readonly Message[], answer: string, more?: object) => Promise<SeededAnswer>;
  readonly reward: (reward: number, interactionId?: string) => Promise<void>;
  readonly end: () => Promise<void>;
}

export interface SeededAnswer {
  readonly id: string;
  readonly messages: readonly Message[];
}

export const user = (content: string): Message => ({ role: 'user', content });

export async function startSession(viewer: Viewer, taskId: string, more: object = {}): Promise<SeededSession> {
  await viewer.call('/grant_capacity', {});
  const started = await viewer.call('/rl/start_session', { task_id: taskId, ...more });
  const [id, key] = [String(started.session_id), String(started.session_api_key)];
  return {
    id,
    key,
    ask: async (messages, answer, more = {}) => {
      viewer.say(answer, more);
      const body = { model: 'fake', messages, max_tokens: 200_000 };
      const answered = await viewer.call('/v1/chat/completions', body, key);
      const [choice] = answered.choices as readonly { readonly message: Message }[];
      const content = choice?.message.content ?? '';
      return { id: String(answered.id), messages: [...messages, { role: 'assistant', content }] };
    },
    reward: async (reward, interactionId) => {
      await viewer.call('/rl/set_reward', { reward, interaction_id: interactionId ?? null }, key);
    },
    end: async () => {
      await viewer.call('/rl/end_session', {}, key);
    },
  };
}

export interface SeededViewer {
  /** Two questions; the second one was asked twice and got two different answers. */
  readonly branched: SeededSession;
  readonly first: SeededAnswer;
  /** Sessions of one task, with different rewards. */
  readonly group: readonly SeededSession[];
}

/** Creates a session with the likeliest tokens of each position, which a teacher has scored. */
export async function seedDistilled(viewer: Viewer): Promise<SeededSession> {
  const session = await startSession(viewer, 'distilled', { record: { top_logprobs: 5, prompt_logprobs: true } });
  const answer = await session.ask([user('Is it 9 or 8?')], 'It is 9, as all but 9 run away.\nSo 9 stay.');
  await session.ask([...answer.messages, user('Sure?')], 'Yes.');
  await session.end();
  await viewer.call('/rl/set_loss_weight', { session_id: session.id, interaction_id: answer.id, weight: 0.5 });
  await viewer.call('/rl/score_session', { session_id: session.id, scorer: 'teacher', top_logprobs: 3 });
  return session;
}

const question = 'A farmer has 17 sheep, and all but 9 run away. How many are left?';

/** Creates sessions as a trainer would leave them: a group of samples, and one that branches. */
export async function seedSessions(viewer: Viewer): Promise<SeededViewer> {
  const answers: readonly (readonly [string, number])[] = [
    ['All but 9 run away, so 9 sheep are left.', 1],
    ['17 minus 9 is 8, so 8 sheep are left.', 0],
    ['All but 9 means that 9 stay: 9 sheep.', 1],
    ['Eight.', -0.5],
  ];
  const group: SeededSession[] = [];
  for (const [answer, reward] of answers) {
    const session = await startSession(viewer, 'sheep');
    await session.ask([user(question)], answer);
    await session.reward(reward);
    group.push(session);
  }
  for (const session of group.slice(0, 2)) await session.end();
  const branched = await startSession(viewer, 'weather-agent');
  const system = { role: 'system', content: 'You look up the weather, and answer in one sentence.' } as const;
  const first = await branched.ask([system, user('Will it rain in Munich tomorrow?')], 'Yes, in the afternoon.', {
    versionChangeAfter: 12,
  });
  const second = await branched.ask([...first.messages, user('And in Berlin?')], 'No, Berlin stays dry.');
  await branched.ask([...first.messages, user('How sure are you?')], 'Quite sure: eight of ten models agree.');
  const last = await branched.ask([...second.messages, user('Thanks!')], 'You are welcome.');
  await branched.reward(1, last.id);
  await branched.reward(0.25, second.id);
  return { branched, first, group };
}
