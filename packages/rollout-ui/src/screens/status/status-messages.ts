import { defineMessages } from '@weir/ui-app';
import messages from './messages.json';

export const useStatusMessages = defineMessages(messages);
