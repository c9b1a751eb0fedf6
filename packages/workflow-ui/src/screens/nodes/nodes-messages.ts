import { defineMessages } from '../../app/text/define-messages';
import messages from './messages.json';

export const useNodesMessages = defineMessages(messages);
