import { defineMessages } from '../text/define-messages';
import messages from './messages.json';

export const useShellMessages = defineMessages(messages);
