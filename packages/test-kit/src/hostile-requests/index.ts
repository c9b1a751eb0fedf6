import { hostileChatRequests } from './chat-requests';
import { hostileGenerateContentRequests } from './generate-content-requests';
import type { HostileRequest } from './hostile-request';
import { hostileMessagesRequests } from './messages-requests';
import { hostileResponsesRequests } from './responses-requests';

/** More than a hundred hostile requests for each of the model protocols, by the path that they are posted to. */
export const hostileModelRequests: Readonly<Record<string, (maxBodyBytes?: number) => readonly HostileRequest[]>> = {
  '/chat/completions': hostileChatRequests,
  '/responses': hostileResponsesRequests,
  '/messages': hostileMessagesRequests,
  '/models/m:generateContent': hostileGenerateContentRequests,
};
