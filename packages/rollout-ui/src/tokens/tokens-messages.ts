import { defineMessages } from '@weir/ui-app';
import messages from './messages.json';

export const useTokensMessages = defineMessages(messages);
