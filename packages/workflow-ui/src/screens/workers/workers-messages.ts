import { defineMessages } from '@weir/ui-kit/app';
import messages from './messages.json';

export const useWorkersMessages = defineMessages(messages);
