import { defineMessages } from '../../app/text/define-messages';
import messages from './messages.json';

export const useViewsMessages = defineMessages(messages);
