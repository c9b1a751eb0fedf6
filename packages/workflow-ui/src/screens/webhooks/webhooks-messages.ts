import { defineMessages } from '@weir/ui-kit/app';
import messages from './messages.json';

export const useWebhooksMessages = defineMessages(messages);
